import { Writable } from "node:stream";
import { pino } from "pino";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createRemoteTransport, type RemoteTransport } from "../../gateway/transport/remote.ts";
import people from "../../src/sandbox/people.json" with { type: "json" };
import { readersOf } from "../atlas/expect-refusal.ts";
import { askGrpc } from "../atlas/grpc-answer.ts";
import { askHttp, writeHttp } from "../atlas/http-answer.ts";
import { type IndexUnderTest, startIndex } from "../atlas/index-under-test.ts";
import type { Json } from "../atlas/scenario.ts";
import { scenarios } from "../atlas/scenarios/index.ts";
import { usedTokens } from "../callers.ts";
import { send } from "../gateway/http-client.ts";
import { inventedPatient } from "../gateway/invented-patient.ts";

const RR = "https://rahvastikuregister.ee";
const NI = "https://fhir.ee/sid/pid/est/ni";

/** Everything that was logged, by whichever part of the service. */
const lines: string[] = [];
const log = pino({ level: "trace" }, new Writable({ write: keep }));
/** What names somebody, or lets somebody in. */
const secrets = new Set<string>();

let index: IndexUnderTest;
let core: RemoteTransport;

beforeAll(async () => {
  index = await startIndex(log);
  core = createRemoteTransport({ target: `127.0.0.1:${index.grpcPort}` });
});

afterAll(async () => {
  core.close();
  await index.stop();
});

function keep(line: Buffer, _encoding: string, done: () => void): void {
  lines.push(line.toString("utf8"));
  done();
}

/** Notes the names, identifiers, addresses and contacts of a resource, wherever in it they are. */
function noteSecretsOf(value: unknown, key = ""): void {
  if (Array.isArray(value)) for (const one of value) noteSecretsOf(one, key);
  else if (typeof value === "object" && value !== null) {
    for (const [name, one] of Object.entries(value)) noteSecretsOf(one, name);
  } else if (typeof value === "string" && NAMING.has(key)) noteSecret(value);
}

const NAMING = new Set(["value", "family", "given", "text", "line", "birthDate", "display"]);

/** Texts that anything may hold are no secret. */
function noteSecret(text: string): void {
  const trimmed = text.trim();
  if (trimmed.length >= 5 && !/^(https?:|urn:|true|false)/.test(trimmed)) secrets.add(trimmed);
}

function noteSecretsOfQuery(path: string): void {
  const query = path.split("?")[1] ?? "";
  for (const [name, value] of new URLSearchParams(query)) {
    if (!name.startsWith("_")) noteSecret(value.split("|").at(-1) ?? "");
  }
}

/** The good requests, one of each kind; answers are secret too. */
async function askForEverything(): Promise<void> {
  const ask = async (
    path: string,
    method = "GET",
    body?: Json | Json[],
    more: Record<string, string> = {},
  ) => {
    noteSecretsOf(body);
    noteSecretsOfQuery(path);
    const headers = { "x-road-issue": "Mari Maasika visiit", ...more };
    const text = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await send(`${index.url}/fhir${path}`, { method, headers, ...text });
    expect([path, answer.status < 300]).toEqual([path, true]);
    noteSecretsOf(answer.json);
    return answer.json;
  };
  secrets.add("Mari Maasika visiit");
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
  for (const { personalCode } of people.people.slice(0, 5)) {
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
async function askForRefusals(): Promise<void> {
  for (const scenario of scenarios.filter(({ slow }) => !slow)) {
    const { http, grpc, after } = await scenario.prepare(index);
    const [{ version, language } = { version: "1.5.0", language: "en" }] = readersOf(scenario);
    if (http && "bytes" in http) await writeHttp(http, index.url);
    else if (http) {
      noteSecretsOfQuery(http.path);
      if (typeof http.body === "object") noteSecretsOf(http.body);
      await askHttp(http, http.origin ?? index.url, http.base ?? `/${version}/fhir`, language);
    }
    if (grpc && grpc.port === undefined) {
      await askGrpc(grpc, core, `127.0.0.1:${index.grpcPort}`, { "x-mpi-version": version });
    }
    await after?.();
  }
}

it("holds no identifier, no name, no address and no token of all that was asked, at any level", async () => {
  await askForEverything();
  await askForRefusals();
  for (const { personalCode, familyName } of people.people.slice(0, 5)) {
    noteSecret(personalCode);
    noteSecret(familyName);
  }
  const tokens = await usedTokens();
  for (const token of tokens) secrets.add(token).add(token.split(".")[2] ?? token);
  expect(tokens.length).toBeGreaterThan(0);
  expect(secrets.size).toBeGreaterThan(100);
  expect(lines.length).toBeGreaterThan(300);
  const logged = lines.join("");
  expect([...secrets].filter((secret) => logged.includes(secret))).toEqual([]);
});
