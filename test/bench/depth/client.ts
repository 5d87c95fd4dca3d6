import type { Job } from "../load/job.ts";
import type { RunningService } from "../servers/service.ts";
import { httpRequest } from "../workload/http-request.ts";
import { SERIAL } from "../workload/material.ts";

/** A resource as it came. */
// biome-ignore lint/suspicious/noExplicitAny: the benchmark reads a few elements of whatever came, and changes some.
export type Json = any;

export type Caller = Readonly<Record<string, string>>;

const FHIR = "application/fhir+json";

/** The resource that a service answers with; throws when it refuses. */
export async function ask(
  service: RunningService,
  method: string,
  path: string,
  resource?: Json,
): Promise<Json> {
  const answer = await fetch(`http://127.0.0.1:${service.port}/fhir/${path}`, {
    method,
    headers: { ...service.caller, ...(resource && { "content-type": FHIR }) },
    ...(resource && { body: JSON.stringify(resource) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path} was answered ${answer.status}: ${text.slice(0, 500)}`);
  return text === "" ? undefined : JSON.parse(text);
}

/** What is sent over and over, one after the other; each time with a number of its own where SERIAL stands. */
export type Requests = readonly (readonly [method: string, path: string, resource?: Json])[];

export function jobOf(service: RunningService, requests: Requests, caller: Caller = service.caller): Job {
  return {
    protocol: "http",
    port: service.port,
    path: "",
    isInTurn: true,
    serial: SERIAL,
    requests: requests.map(([method, path, resource]) => requestOf(service, method, path, resource, caller)),
  };
}

function requestOf(
  service: RunningService,
  method: string,
  path: string,
  resource: Json,
  caller: Caller,
): Uint8Array {
  const body = resource && { type: FHIR, bytes: Buffer.from(JSON.stringify(resource), "utf8") };
  return httpRequest(service.port, method, `/fhir/${path}`, caller, body);
}
