import { type Client, createClient } from "@connectrpc/connect";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { PatientLookupService } from "#proto/patientindex/v1/patient_lookup_service_pb.ts";
import type { RemoteTransport } from "../../gateway/transport/remote/remote.ts";
import { transportAs } from "../caller-transport.ts";
import { refusalOf, refusalsOf } from "../clients.ts";
import { everybody, RR } from "../gateway/registers/register-answers.ts";
import { sandboxControl } from "../registers/sandbox-control.ts";
import { type RunningService, startService } from "../service.ts";

/** Time enough to ask the register, on a slow machine too. */
const IMPATIENT_MS = 2_000;

let service: RunningService;
let control: ReturnType<typeof sandboxControl>;
let transport: RemoteTransport;
let client: Client<typeof PatientLookupService>;

beforeAll(async () => {
  service = await startService({ registerTimeout: 60_000 });
  control = sandboxControl(service.sandboxUrl);
  transport = transportAs(service.grpcPort);
  client = createClient(PatientLookupService, transport);
  await lookUp(codeOf(0));
});

afterEach(async () => {
  await control.heal();
});

afterAll(async () => {
  transport.close();
  await service.stop();
});

function lookUp(code: string, timeoutMs?: number) {
  const parameters = [
    { name: "identifier", value: code },
    { name: "source", value: RR },
    { name: "nocache", value: "true" },
  ];
  return client.lookupPatients({ parameters }, timeoutMs === undefined ? {} : { timeoutMs });
}

function codeOf(person: number): string {
  return everybody[person]?.personalCode ?? "";
}

describe("a caller who waits for less time than the register takes", () => {
  it("is answered in time, and those who wait longer for the same person get their answer", async () => {
    await control.forgetCalls();
    await control.fail({ register: "rr", delayMs: 60_000 });
    const impatient = refusalOf(lookUp(codeOf(1), IMPATIENT_MS));
    await expect.poll(() => control.count("rr/person")).toBe(1);
    const patient = lookUp(codeOf(1));
    expect((await impatient).status).toBe("DeadlineExceeded");
    await control.heal();
    expect((await patient).patients).toHaveLength(1);
  });

  it("does not shut the register for others", async () => {
    await control.fail({ register: "rr", delayMs: 60_000 });
    const codes = Array.from({ length: 10 }, (_, n) => codeOf(n + 2));
    const refusals = await refusalsOf(codes.map((code) => lookUp(code, IMPATIENT_MS)));
    expect(new Set(refusals.map(({ status }) => status))).toEqual(new Set(["DeadlineExceeded"]));
    await control.heal();
    expect((await lookUp(codeOf(12))).patients).toHaveLength(1);
  });
});
