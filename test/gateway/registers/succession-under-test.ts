import { type Timestamp, timestampMs } from "@bufbuild/protobuf/wkt";
import { createClient } from "@connectrpc/connect";
import { pino } from "pino";
import { expect } from "vitest";
import { JobService } from "#proto/patientindex/v1/job_service_pb.ts";
import type { Settings } from "../../../src/config.ts";
import file from "../../../src/sandbox/people.json" with { type: "json" };
import { transportAs } from "../../caller-transport.ts";
import { administrator } from "../../jobs/administrator.ts";
import { startChangingSandbox } from "../../registers/changing-sandbox.ts";
import { startService } from "../../service.ts";
import { type HttpRequest, send } from "../http-client.ts";
import { RR } from "./register-answers.ts";

/** System of Estonian personal codes. */
export const NI = "https://fhir.ee/sid/pid/est/ni";

/** Two people of the file whose codes are linked by the register in these tests, and one more. */
export const [old, successor, last] = file.people.slice(0, 3).map(({ personalCode }) => personalCode) as [
  string,
  string,
  string,
];

/** Somebody of the file whose code was changed twice. */
export const changedTwice = file.people.find((person) => "successorCode" in person)?.personalCode ?? "";

export interface Shown {
  readonly id: string;
  readonly link?: readonly { readonly type: string; readonly other: { readonly reference: string } }[];
  readonly identifier: readonly { readonly value: string; readonly period?: { readonly end?: string } }[];
  readonly telecom?: readonly object[];
  readonly meta: { readonly versionId: string };
}

export type SuccessionUnderTest = Awaited<ReturnType<typeof openSuccession>>;

/** A service, and a population register that says which codes took the place of which. */
export async function openSuccession(settings: Partial<Settings> = {}) {
  const sandbox = await startChangingSandbox();
  const logged: string[] = [];
  const log = pino({ level: "warn" }, { write: (line: string) => void logged.push(line) });
  const service = await startService({ ...sandbox.settings, ...settings }, log);
  const fhir = (path: string, request: HttpRequest = {}) => send(`${service.url}/fhir/${path}`, request);
  const post = (path: string, resource: object) =>
    fhir(path, { method: "POST", body: JSON.stringify(resource) });
  return {
    /** Warnings of the service and worse, line by line. */
    logged,
    registers: sandbox.control,
    fhir,
    post,

    /** The register says from now on which codes took the place of which. */
    succeeds: (successors: Readonly<Record<string, string>>): Promise<void> =>
      sandbox.change((person) => {
        const successorCode = successors[person.personalCode];
        return { ...person, ...(successorCode !== undefined && { successorCode }) };
      }),

    async lookUp(code: string): Promise<Shown[]> {
      const answer = await fhir(`Patient/$lookup?identifier=${code}&source=${RR}&nocache=true`);
      expect(answer.status).toBe(200);
      return answer.json.entry.map(({ resource }: { resource: Shown }) => resource);
    },

    /** The record that holds a code as it is in the index. */
    async holder(code: string): Promise<Shown> {
      const { json } = await fhir(`Patient/$lookup?identifier=${code}`);
      return json.entry[0].resource;
    },

    put: (patient: Shown) => fhir(`Patient/${patient.id}`, { method: "PUT", body: JSON.stringify(patient) }),

    operate(operation: "link" | "unlink", source: string, target: string) {
      const reference = (name: string, id: string) => ({
        name,
        valueReference: { reference: `Patient/${id}` },
      });
      const parameter = [reference("source-patient", source), reference("target-patient", target)];
      return post(`Patient/$${operation}`, { resourceType: "Parameters", parameter });
    },

    /** Runs the job that refreshes known patients to its end; answers with when it was at work, in milliseconds. */
    async refresh(): Promise<{ readonly beganAt: number; readonly endedAt: number }> {
      const transport = transportAs(service.grpcPort, administrator);
      const jobs = createClient(JobService, transport);
      const { job } = await jobs.startJob({ type: "refresh-from-register" });
      let last = job;
      for await (const { job: now } of jobs.watchJob({ id: job?.id ?? "" })) {
        expect(now?.problems).toBe(0n);
        last = now;
      }
      transport.close();
      const timeOf = (at: Timestamp | undefined) => at && timestampMs(at);
      return { beganAt: timeOf(last?.beganAt) ?? Number.NaN, endedAt: timeOf(last?.endedAt) ?? Number.NaN };
    },

    async close(): Promise<void> {
      await service.stop();
      await sandbox.stop();
    },
  };
}

export function linksOf({ link = [] }: Shown): string[] {
  return link.map(({ type, other }) => `${type} ${other.reference.replace("Patient/", "")}`);
}
