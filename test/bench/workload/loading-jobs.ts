import { create, toBinary } from "@bufbuild/protobuf";
import { LoadPatientsRequestSchema } from "#proto/patientindex/v1/patient_load_service_pb.ts";
import type { Patient } from "#proto/patientindex/v1/patient_pb.ts";
import { CreatePatientRequestSchema, PatientService } from "#proto/patientindex/v1/patient_service_pb.ts";
import { blocksOf } from "../../../src/matching/index.ts";
import type { Job } from "../load/job.ts";
import type { RunningService } from "../servers/service.ts";
import { httpRequest } from "./http-request.ts";
import { type Carried, newPatients, SERIAL } from "./material.ts";

/** A way to bring new patients. */
export interface LoadingWay {
  /** Requests or messages on their way at a time. */
  readonly inFlight: number;
  /** Patients in each. */
  readonly patients: number;
  readonly job: LoadingJob;
  /** The way of single creations that it is compared with. */
  readonly single: string;
  /** How many times as many patients a second it has to bring (issue 9); it is only shown where nothing is demanded. */
  readonly bar?: number;
}

/** What is sent. */
export type LoadingJob = "HTTP create" | "FHIR batch" | "gRPC create" | "gRPC stream" | "rows alone";

/** Patients of one batch or message. */
export const TOGETHER = 200;

export const loadingWays: Readonly<Record<string, LoadingWay>> = {
  "HTTP create": { job: "HTTP create", inFlight: 32, patients: 1, single: "HTTP create" },
  "FHIR batch": { job: "FHIR batch", inFlight: 4, patients: TOGETHER, single: "HTTP create", bar: 5 },
  "gRPC create": { job: "gRPC create", inFlight: 32, patients: 1, single: "gRPC create" },
  "gRPC stream": { job: "gRPC stream", inFlight: 4, patients: TOGETHER, single: "gRPC create", bar: 5 },
  /** What the database takes of a load, and nothing else: as fast as loading could be. */
  "rows alone": { job: "rows alone", inFlight: 2, patients: TOGETHER, single: "HTTP create" },
  // As a loading program does it that waits for each answer before it goes on.
  "one HTTP create": { job: "HTTP create", inFlight: 1, patients: 1, single: "one HTTP create" },
  "one FHIR batch": { job: "FHIR batch", inFlight: 1, patients: TOGETHER, single: "one HTTP create" },
  "one gRPC create": { job: "gRPC create", inFlight: 1, patients: 1, single: "one gRPC create" },
  "one gRPC stream": { job: "gRPC stream", inFlight: 1, patients: TOGETHER, single: "one gRPC create" },
};

const FHIR = "application/fhir+json";
/** Who loads has the patients already. */
const WITHOUT_COPY = { prefer: "return=minimal" };

/** The requests of each kind; the same people, each time with other numbers. */
export function loadingJobs({
  port: httpPort,
  grpcPort,
  caller,
}: RunningService): Readonly<Record<Exclude<LoadingJob, "rows alone">, Job>> {
  const people = newPatients();
  const http = { protocol: "http", port: httpPort, path: "", serial: SERIAL } as const;
  const grpc = { port: grpcPort, metadata: caller, serial: SERIAL } as const;
  const post = (path: string, bytes: Uint8Array) =>
    httpRequest(httpPort, "POST", path, { ...caller, ...WITHOUT_COPY }, { type: FHIR, bytes });
  const { createPatient } = PatientService.method;
  return {
    "HTTP create": { ...http, requests: people.map(({ json }) => post("/fhir/Patient", json)) },
    "FHIR batch": {
      ...http,
      requests: [post("/fhir", batchOf(people))],
      expected: { text: '"201 Created"', times: TOGETHER },
    },
    "gRPC create": {
      ...grpc,
      protocol: "grpc",
      path: `/${PatientService.typeName}/${createPatient.name}`,
      requests: people.map(({ patient }) =>
        toBinary(CreatePatientRequestSchema, create(CreatePatientRequestSchema, { patient })),
      ),
    },
    "gRPC stream": { ...grpc, protocol: "grpc-stream", path: "", requests: [messageOf(patientsOf(people))] },
  };
}

/** Rows for the yardstick to write. */
export function rowsAlone(port: number): Job {
  const requests = [rowsOf(newPatients().slice(0, TOGETHER), port)];
  return { protocol: "http", port, path: "", requests };
}

function batchOf(people: readonly Carried[]): Uint8Array {
  const entries = people.slice(0, TOGETHER).map(({ json }) => {
    const resource = Buffer.from(json).toString("utf8");
    return `{"resource":${resource},"request":{"method":"POST","url":"Patient"}}`;
  });
  return Buffer.from(`{"resourceType":"Bundle","type":"batch","entry":[${entries.join(",")}]}`);
}

/** Each with as many identifiers and block keys as they have in the mean. */
function rowsOf(people: readonly Carried[], port: number): Uint8Array {
  const mean = (count: (patient: Patient) => number) =>
    Math.round(people.reduce((sum, { patient }) => sum + count(patient), 0) / people.length);
  const identifiers = mean(({ identifier }) => identifier.length);
  const blockKeys = mean((patient) => blocksOf(patient).keys.length);
  const bytes = Buffer.concat(people.map(({ document }) => document));
  const path = `/patients/${people.length}/${identifiers}/${blockKeys}`;
  return httpRequest(port, "POST", path, {}, { type: "application/octet-stream", bytes });
}

function messageOf(patients: Patient[]): Uint8Array {
  return toBinary(LoadPatientsRequestSchema, create(LoadPatientsRequestSchema, { patients }));
}

function patientsOf(people: readonly Carried[]): Patient[] {
  return people.slice(0, TOGETHER).map(({ patient }) => patient);
}
