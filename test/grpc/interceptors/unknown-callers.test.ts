import { Code, createClient } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CallBatchService, type CallResult } from "#proto/patientindex/v1/call_batch_service_pb.ts";
import { ErrorDetailsSchema } from "#proto/patientindex/v1/error_details_pb.ts";
import { PatientService } from "#proto/patientindex/v1/patient_service_pb.ts";
import { createRemoteTransport, type RemoteTransport } from "../../../gateway/transport/remote/remote.ts";
import { onServer } from "../../database.ts";
import { type AuditedPatient, auditedPatient, eventsOf } from "../../gateway/audit/audited-patient.ts";
import { send } from "../../gateway/http-client.ts";
import { rejectionOf } from "../refusals.ts";

/** A tenth of it is for all callers together of whom nothing is known. */
const CALLER_RATE = 100;

let audited: AuditedPatient;
let transport: RemoteTransport;

beforeAll(async () => {
  audited = await auditedPatient({ callerRate: CALLER_RATE });
  transport = createRemoteTransport({ target: `127.0.0.1:${audited.service.grpcPort}` });
});

afterAll(async () => {
  transport.close();
  await audited.service.stop();
});

/** What they who are not known have said why they call, in words for the patient. */
const headers = {
  authorization: "Bearer forged",
  "x-road-id": "look-here",
  "x-road-issue": "your-doctor-lies",
};

function entries(): Promise<number> {
  return onServer(audited.service.databaseUrl, async (client) => {
    const { rows } = await client.query("SELECT count(*)::int AS n FROM audit_event");
    return rows[0].n;
  });
}

/** A second in which nobody has called. */
function quiet(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 1_100));
}

describe("a caller with no token or a bad one", () => {
  it("leaves one entry a call, of the first patient named, whomever else it names", async () => {
    const patients = createClient(PatientService, transport);
    const others = Array.from({ length: 99 }, (_, at) => String(900_000 + at));
    const parameters = [{ name: "_id", value: [audited.id, ...others].join(",") }];
    const before = await entries();
    await rejectionOf(patients.searchPatients({ parameters }, { headers }));
    expect(await entries()).toBe(before + 1);
    await rejectionOf(patients.createPatients({ patients: [{}, {}, {}] }));
    expect(await entries()).toBe(before + 2);
    const event = await audited.latest();
    expect(event).toMatchObject({
      code: { text: "PatientService/SearchPatients" },
      outcome: { code: { code: "error" } },
      agent: [{ who: { display: "Unknown caller" } }],
    });
  });

  it("shows the patient no words of their own", async () => {
    await rejectionOf(createClient(PatientService, transport).readPatient({ id: audited.id }, { headers }));
    const shown = eventsOf(await audited.trail("&_count=100"));
    expect(shown[0]).toMatchObject({ agent: [{ who: { display: "Unknown caller" } }] });
    expect(JSON.stringify(shown)).not.toMatch(/look-here|your-doctor-lies/);
  });

  it("is turned away without an entry above a tenth of the rate of a caller, one by one or in batches", async () => {
    await quiet();
    const [before, startedAt] = [await entries(), performance.now()];
    const batches = createClient(CallBatchService, transport);
    const call = { request: { case: "readPatient", value: { id: audited.id } } } as const;
    const results: CallResult[] = [];
    for await (const message of batches.makeCalls({ calls: Array(100).fill(call) }))
      results.push(...message.results);
    const turnedAway = results.filter(({ outcome }) => codeOf(outcome) === 8);
    const refused = results.filter(({ outcome }) => codeOf(outcome) === 16);
    expect(turnedAway.length + refused.length).toBe(100);
    expect(refused.length).toBeGreaterThanOrEqual(CALLER_RATE / 10);
    const seconds = Math.ceil((performance.now() - startedAt) / 1000);
    expect(refused.length).toBeLessThanOrEqual(((1 + seconds) * CALLER_RATE) / 10);
    const patients = createClient(PatientService, transport);
    const reads = await Promise.all(
      Array.from({ length: 100 }, () => rejectionOf(patients.readPatient({ id: audited.id }))),
    );
    const throttled = reads.filter(({ code }) => code === Code.ResourceExhausted);
    const [details] = throttled[0]?.findDetails(ErrorDetailsSchema) ?? [];
    expect(details?.issues[0]?.issueType).toBe("throttled");
    expect(await entries()).toBe(before + refused.length + (reads.length - throttled.length));
  });

  it("does not keep out those who are known", async () => {
    const url = `${audited.service.url}/fhir/Patient/${audited.id}`;
    const unknown = await Promise.all(Array.from({ length: 100 }, () => send(url, { as: "nobody" })));
    expect(unknown.map(({ status }) => status)).toContain(429);
    expect((await send(url)).status).toBe(200);
  });
});

function codeOf(outcome: CallResult["outcome"]): number | undefined {
  return outcome.case === "status" ? outcome.value.code : undefined;
}
