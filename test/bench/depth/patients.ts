import { PatientSchema } from "#proto/patientindex/v1/patient_pb.ts";
import { encodeResource, stringifyJson } from "../../../gateway/fhir/index.ts";
import { inventForeigner, Random } from "../../../src/invented-people/index.ts";
import { SEED } from "../servers/database.ts";
import type { RunningService } from "../servers/service.ts";
import { SERIAL } from "../workload/material.ts";
import { ask, type Json } from "./client.ts";

/** Documents of the people here have numbers from this one on: nobody else's do. */
const FIRST_NUMBER = 800_000_000;
const TOGETHER = 200;
/** Those that are compared are alike but for the numbers of their documents. */
const COMPARED = 7;

let made = 0;

/** Stores foreigners who are alike, one for each size, to be compared; answers with their ids. */
export function addAlike(service: RunningService, count: number): Promise<string[]> {
  return addAll(service, Array.from({ length: count }, alike));
}

/** Stores foreigners who differ. */
export function addOthers(service: RunningService, count: number): Promise<string[]> {
  return addAll(
    service,
    Array.from({ length: count }, () => person(made)),
  );
}

/** One of those who are alike, as a client gives it. */
export function alike(): Json {
  return person(COMPARED);
}

function person(which: number): Json {
  const invented = inventForeigner(new Random(SEED, which), FIRST_NUMBER + made++);
  return JSON.parse(stringifyJson(encodeResource(PatientSchema, invented)));
}

export async function addAll(service: RunningService, resources: readonly Json[]): Promise<string[]> {
  const ids: string[] = [];
  for (let from = 0; from < resources.length; from += TOGETHER) {
    const entry = resources.slice(from, from + TOGETHER).map((resource) => ({
      resource,
      request: { method: "POST", url: resource.resourceType },
    }));
    const answer = await ask(service, "POST", "", { resourceType: "Bundle", type: "batch", entry });
    for (const { response } of answer.entry) ids.push(idOf(response));
  }
  return ids;
}

function idOf({ status, location = "", outcome }: Json): string {
  const [, id] = /\/(\d+)\/_history\//.exec(location) ?? [];
  if (id === undefined) throw new Error(`Not stored: ${status} ${JSON.stringify(outcome)}`);
  return id;
}

export async function read(service: RunningService, id: string): Promise<Json> {
  return await ask(service, "GET", `Patient/${id}`);
}

/** A patient with an e-mail address that is another one in each request. */
export function changed(patient: Json): Json {
  const { meta, ...content } = patient;
  const others = (patient.telecom ?? []).filter(({ system }: Json) => system !== "email");
  const email = { system: "email", value: `p${SERIAL}@post.example`, use: "home" };
  return { ...content, meta: { profile: meta.profile }, telecom: [...others, email] };
}

/** Changes a patient so many times, each time to something else. */
export async function changeTimes(service: RunningService, id: string, times: number): Promise<void> {
  const next = JSON.stringify(changed(await read(service, id)));
  for (let n = 0; n < times; n++) {
    await ask(service, "PUT", `Patient/${id}`, JSON.parse(next.replaceAll(SERIAL, String(FIRST_NUMBER + n))));
  }
}

/** The first identifier of a patient, as a search names it. */
export function tokenOf(patient: Json): string {
  const [{ system, value }] = patient.identifier;
  return encodeURIComponent(`${system}|${value}`);
}

export function pairOf(source: string, target: string): Json {
  const reference = (name: string, id: string) => ({
    name,
    valueReference: { reference: `Patient/${id}` },
  });
  return {
    resourceType: "Parameters",
    parameter: [reference("source-patient", source), reference("target-patient", target)],
  };
}
