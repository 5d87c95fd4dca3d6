import { expect } from "vitest";
import type { RemoteTransport } from "../../gateway/transport/remote/remote.ts";
import people from "../../src/sandbox/people.json" with { type: "json" };
import { readersOf } from "../atlas/expect-refusal.ts";
import { askGrpc } from "../atlas/grpc-answer.ts";
import { askHttp, writeHttp } from "../atlas/http-answer.ts";
import type { IndexUnderTest } from "../atlas/index-under-test.ts";
import type { Json } from "../atlas/scenario.ts";
import { scenarios } from "../atlas/scenarios/index.ts";
import { send } from "../gateway/http-client.ts";
import { inventedPatient } from "../gateway/invented-patient.ts";

/** Told of all that goes out and comes in. */
export interface Witness {
  /** Resources and other JSON. */
  onBody(body: unknown): void;
  /** Paths with their queries. */
  onPath(path: string): void;
}

const RR = "https://rahvastikuregister.ee";
const NI = "https://fhir.ee/sid/pid/est/ni";
/** What stands in x-road-issue. */
export const ISSUE = "Mari Maasika visiit";

/** The people whom registers are asked for. */
export const askedPeople = people.people.slice(0, 5);

/** The good requests, one of each kind; answers are secret too. */
export async function askForEverything(index: IndexUnderTest, witness: Witness): Promise<void> {
  const ask = async (
    path: string,
    method = "GET",
    body?: Json | Json[],
    more: Record<string, string> = {},
  ) => {
    witness.onBody(body);
    witness.onPath(path);
    const headers = { "x-road-issue": ISSUE, ...more };
    const text = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await send(`${index.url}/fhir${path}`, { method, headers, ...text });
    expect([path, answer.status < 300]).toEqual([path, true]);
    witness.onBody(answer.json);
    return answer.json;
  };
  const patient = await ask("/Patient", "POST", inventedPatient());
  const other = await ask("/Patient", "POST", inventedPatient());
  await ask(`/Patient/${patient.id}`, "PUT", { ...patient, birthDate: "1981-12-24" });
  const patch = [{ op: "replace", path: "/name/0/family", value: "Muudetudnimi" }];
  await ask(`/Patient/${patient.id}`, "PATCH", patch, { "content-type": "application/json-patch+json" });
  await ask(`/Patient/${patient.id}`);
  await ask(`/Patient/${patient.id}/_history`);
  const [{ system, value }] = patient.identifier;
  await ask(`/Patient?identifier=${encodeURIComponent(`${system}|${value}`)}`);
  const pair = [
    { name: "source-patient", valueReference: { reference: `Patient/${other.id}` } },
    { name: "target-patient", valueReference: { reference: `Patient/${patient.id}` } },
  ];
  const parameters = { resourceType: "Parameters", parameter: pair };
  await ask("/Patient/$link", "POST", parameters);
  await ask("/Patient/$unlink", "POST", parameters);
  for (const { personalCode } of askedPeople) {
    await ask(`/Patient/$lookup?identifier=${personalCode}&source=${RR}`);
    await ask(`/Patient?identifier=${NI}%7C${personalCode}`);
    for (const operation of [
      "education",
      "disability",
      "occupation",
      "incapacity-for-work",
      "legal-status",
    ]) {
      await ask(`/Patient/$${operation}?patient.identifier=${personalCode}`);
    }
  }
}

/** Every situation in which the index refuses, over HTTP and over gRPC. */
export async function askForRefusals(
  index: IndexUnderTest,
  core: RemoteTransport,
  witness: Witness,
): Promise<void> {
  for (const scenario of scenarios.filter(({ slow }) => !slow)) {
    const { http, grpc, after } = await scenario.prepare(index);
    const [{ version, language } = { version: "1.5.0", language: "en" }] = readersOf(scenario);
    if (http && "bytes" in http) await writeHttp(http, index.url);
    else if (http) {
      witness.onPath(http.path);
      if (typeof http.body === "object") witness.onBody(http.body);
      await askHttp(http, http.origin ?? index.url, http.base ?? `/${version}/fhir`, language);
    }
    if (grpc && grpc.port === undefined) {
      await askGrpc(grpc, core, `127.0.0.1:${index.grpcPort}`, { "x-mpi-version": version });
    }
    await after?.();
  }
}
