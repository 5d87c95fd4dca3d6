import { create, type DescMethod, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { PatientService } from "#proto/patientindex/v1/patient_service_pb.ts";
import type { BenchDatabase } from "../database.ts";
import type { Job } from "../load/job.ts";
import type { RequestScenario, Way } from "../scenarios.ts";
import type { MeasuredServer, Servers } from "../servers.ts";
import { httpRequest } from "./http-request.ts";
import {
  type Carried,
  changedPatients,
  type KnownIdentifier,
  newPatients,
  SERIAL,
  sampleIdentifiers,
  sampleIds,
} from "./material.ts";

/** What is sent to the server of each way; the same material goes to all of them. */
export type Jobs = Readonly<Record<Way, Job>>;

type Requests = (server: MeasuredServer) => Uint8Array[];

interface Requested {
  readonly yardstick: Requests;
  readonly fhir: Requests;
  readonly method: DescMethod;
  readonly messages: Uint8Array[];
  readonly serial?: string;
}

const FHIR = "application/fhir+json";
const BYTES = "application/octet-stream";

/** The requests of a scenario. */
export async function jobsOf(
  scenario: RequestScenario,
  database: BenchDatabase,
  servers: Servers,
  patients: number,
): Promise<Jobs> {
  switch (scenario) {
    case "read":
      return jobs(servers, reads(await sampleIds(database)));
    case "search":
      return jobs(servers, searches(await sampleIdentifiers(database, patients)));
    case "create":
      return jobs(servers, creates(newPatients()));
    case "update":
      return jobs(servers, updates(await changedPatients(database, servers.byWay["one process"])));
  }
}

function jobs({ byWay }: Servers, { yardstick, fhir, method, messages, serial }: Requested): Jobs {
  const changing = serial === undefined ? {} : { serial };
  const overHttp = (way: Way, requests: Requests): Job => {
    const { port } = byWay[way];
    return { protocol: "http", port, path: "", requests: requests(byWay[way]), ...changing };
  };
  return {
    yardstick: overHttp("yardstick", yardstick),
    "one process": overHttp("one process", fhir),
    apart: overHttp("apart", fhir),
    gRPC: {
      protocol: "grpc",
      port: byWay["gRPC"].port,
      metadata: byWay["gRPC"].caller,
      path: `/${method.parent.typeName}/${method.name}`,
      requests: messages,
      ...changing,
    },
  };
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
      patients.map(({ patient, document }) =>
        httpRequest(port, "POST", `/patient/${patient.identifier.length}`, caller, {
          type: BYTES,
          bytes: document,
        }),
      ),
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

function encoded<Method extends DescMethod>(
  method: Method,
  request: MessageInitShape<Method["input"]>,
): Uint8Array {
  return toBinary(method.input, create(method.input, request));
}
