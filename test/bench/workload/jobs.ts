import { create, type DescMethod, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { MatchingService } from "#proto/patientindex/v1/matching_service_pb.ts";
import { PatientService } from "#proto/patientindex/v1/patient_service_pb.ts";
import { soughtBlocks } from "../../../src/matching/blocking/match-blocks.ts";
import { personOf } from "../../../src/matching/comparison/person.ts";
import { blocksOf } from "../../../src/matching/index.ts";
import type { Job } from "../load/job.ts";
import type { RequestScenario, Way } from "../ratios/scenarios.ts";
import type { BenchDatabase } from "../servers/database.ts";
import type { MeasuredServer, Servers } from "../servers/servers.ts";
import type { RunningService } from "../servers/service.ts";
import { httpRequest } from "./http-request.ts";
import {
  type Carried,
  changedPatients,
  describedPatients,
  type KnownIdentifier,
  newPatients,
  SERIAL,
  sampleIdentifiers,
  sampleIds,
} from "./material.ts";

/** What is sent to the server of each way; the same material goes to all of them. */
export type Jobs = Readonly<Record<Way, Job>>;

/** Where requests go, and in whose name. */
type Requestable = Pick<MeasuredServer, "port" | "caller">;

type Requests = (server: Requestable) => Uint8Array[];

interface Requested {
  readonly yardstick: Requests;
  readonly fhir: Requests;
  readonly method: DescMethod;
  readonly messages: Uint8Array[];
  readonly serial?: string;
}

const FHIR = "application/fhir+json";
const BYTES = "application/octet-stream";

/** The requests of a scenario to the servers of every way. */
export async function jobsOf(
  scenario: RequestScenario,
  database: BenchDatabase,
  { byWay }: Servers,
  patients: number,
): Promise<Jobs> {
  const requested = await requestedBy(scenario, database, byWay["one process"], patients);
  const { yardstick, fhir } = requested;
  return {
    yardstick: overHttp(byWay["yardstick"], yardstick, requested),
    "one process": overHttp(byWay["one process"], fhir, requested),
    apart: overHttp(byWay["apart"], fhir, requested),
    gRPC: overGrpc(byWay["gRPC"], requested),
  };
}

/** The requests of a scenario over FHIR to one service. */
export async function fhirJobOf(
  scenario: RequestScenario,
  database: BenchDatabase,
  server: Requestable,
  patients: number,
): Promise<Job> {
  const requested = await requestedBy(scenario, database, server, patients);
  return overHttp(server, requested.fhir, requested);
}

/** The requests of a scenario over gRPC to one service. */
export async function grpcJobOf(
  scenario: RequestScenario,
  database: BenchDatabase,
  { port, grpcPort, caller }: RunningService,
  patients: number,
): Promise<Job> {
  const requested = await requestedBy(scenario, database, { port, caller }, patients);
  return overGrpc({ port: grpcPort, caller }, requested);
}

/** `server` is who patients are read from to be updated. */
async function requestedBy(
  scenario: RequestScenario,
  database: BenchDatabase,
  server: Requestable,
  patients: number,
): Promise<Requested> {
  switch (scenario) {
    case "read":
      return reads(await sampleIds(database));
    case "search":
      return searches(await sampleIdentifiers(database, patients));
    case "create":
      return creates(newPatients());
    case "update":
      return updates(await changedPatients(database, server));
    case "match":
      return matches(describedPatients(patients));
  }
}

function overHttp(server: Requestable, requests: Requests, requested: Requested): Job {
  const { port } = server;
  return { protocol: "http", port, path: "", requests: requests(server), ...changing(requested) };
}

function overGrpc({ port, caller }: Requestable, requested: Requested): Job {
  const { method, messages } = requested;
  const path = `/${method.parent.typeName}/${method.name}`;
  return { protocol: "grpc", port, metadata: caller, path, requests: messages, ...changing(requested) };
}

function changing({ serial }: Requested): Pick<Job, "serial"> {
  return serial === undefined ? {} : { serial };
}

function reads(ids: readonly string[]): Requested {
  const { readPatient } = PatientService.method;
  return {
    yardstick: ({ port, caller }) => ids.map((id) => httpRequest(port, "GET", `/patient/${id}`, caller)),
    fhir: ({ port, caller }) => ids.map((id) => httpRequest(port, "GET", `/fhir/Patient/${id}`, caller)),
    method: readPatient,
    messages: ids.map((id) => encoded(readPatient, { id })),
  };
}

function searches(identifiers: readonly KnownIdentifier[]): Requested {
  const { searchPatients } = PatientService.method;
  return {
    yardstick: ({ port, caller }) =>
      identifiers.map(({ country, type, hmac }) =>
        httpRequest(port, "GET", `/identifier/${country}/${encodeURIComponent(type)}/${hmac}`, caller),
      ),
    fhir: ({ port, caller }) =>
      identifiers.map((identifier) =>
        httpRequest(port, "GET", `/fhir/Patient?identifier=${encodeURIComponent(token(identifier))}`, caller),
      ),
    method: searchPatients,
    messages: identifiers.map((identifier) =>
      encoded(searchPatients, { parameters: [{ name: "identifier", value: token(identifier) }] }),
    ),
  };
}

function token({ system, value }: KnownIdentifier): string {
  return `${system}|${value}`;
}

function creates(patients: readonly Carried[]): Requested {
  const { createPatient } = PatientService.method;
  return {
    yardstick: ({ port, caller }) =>
      patients.map(({ patient, document }) => {
        const rows = `${patient.identifier.length}/${blocksOf(patient).keys.length}`;
        return httpRequest(port, "POST", `/patient/${rows}`, caller, { type: BYTES, bytes: document });
      }),
    fhir: ({ port, caller }) =>
      patients.map(({ json }) =>
        httpRequest(port, "POST", "/fhir/Patient", caller, { type: FHIR, bytes: json }),
      ),
    method: createPatient,
    messages: patients.map(({ patient }) => encoded(createPatient, { patient })),
    serial: SERIAL,
  };
}

function updates(patients: readonly Carried[]): Requested {
  const { updatePatient } = PatientService.method;
  const idOf = ({ patient }: Carried) => patient.id ?? "";
  return {
    yardstick: ({ port, caller }) =>
      patients.map((one) =>
        httpRequest(port, "PUT", `/patient/${idOf(one)}`, caller, { type: BYTES, bytes: one.document }),
      ),
    fhir: ({ port, caller }) =>
      patients.map((one) =>
        httpRequest(port, "PUT", `/fhir/Patient/${idOf(one)}`, caller, { type: FHIR, bytes: one.json }),
      ),
    method: updatePatient,
    messages: patients.map((one) => encoded(updatePatient, { id: idOf(one), patient: one.patient })),
    serial: SERIAL,
  };
}

function matches(patients: readonly Carried[]): Requested {
  const { matchPatients } = MatchingService.method;
  return {
    yardstick: ({ port, caller }) =>
      patients.map(({ patient }) => {
        const blocks = soughtBlocks(personOf(patient)).map(
          ({ key, isNarrow }) => `${key}:${isNarrow ? 2 : 1}`,
        );
        const bytes = Buffer.from(blocks.join(","));
        return httpRequest(port, "POST", "/sharing", caller, { type: BYTES, bytes });
      }),
    fhir: ({ port, caller }) =>
      patients.map(({ json }) =>
        httpRequest(port, "POST", "/fhir/Patient/$match", caller, { type: FHIR, bytes: json }),
      ),
    method: matchPatients,
    messages: patients.map(({ patient }) => encoded(matchPatients, { resource: patient })),
  };
}

function encoded<Method extends DescMethod>(
  method: Method,
  request: MessageInitShape<Method["input"]>,
): Uint8Array {
  return toBinary(method.input, create(method.input, request));
}
