import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { PatientLoadService } from "#proto/patientindex/v1/patient_load_service_pb.ts";
import { PatientService } from "#proto/patientindex/v1/patient_service_pb.ts";
import type { RemoteTransport } from "../../../gateway/transport/remote/remote.ts";
import { transportAs } from "../../caller-transport.ts";
import { doctor } from "../../callers.ts";
import { type RunningService, startService } from "../../service.ts";

const MOST = 6;

let service: RunningService;
let greedy: RemoteTransport;
let other: RemoteTransport;
let leaving: AbortController;

beforeAll(async () => {
  service = await startService({ maxInFlight: MOST, callerRate: 500 });
  greedy = transportAs(service.grpcPort);
  other = transportAs(service.grpcPort, { ...doctor, application: "laboratory" });
  leaving = new AbortController();
});

afterEach(() => leaving.abort());

afterAll(async () => {
  greedy.close();
  other.close();
  await service.stop();
});

/** Whether there is room for a call; of somebody who is not there. */
async function hasRoom(transport: RemoteTransport): Promise<boolean> {
  try {
    await createClient(PatientService, transport).readPatient({ id: "999999999" });
  } catch (error) {
    const { code } = ConnectError.from(error);
    if (code !== Code.NotFound) expect(code).toBe(Code.ResourceExhausted);
    return code === Code.NotFound;
  }
  throw new Error("There is such a patient.");
}

/** Streams of patients that never come; answers with how those that ended did. */
function waitingStreams(count: number): Code[] {
  const loading = createClient(PatientLoadService, greedy);
  async function* nothing() {
    yield await new Promise<never>(() => undefined);
  }
  const { signal } = leaving;
  const ended: Code[] = [];
  for (let n = 0; n < count; n++) {
    Array.fromAsync(loading.loadPatients(nothing(), { signal })).catch((error) =>
      ended.push(ConnectError.from(error).code),
    );
  }
  return ended;
}

it("a caller has streams open in half of all places at most, so that there is room for others and for other calls", async () => {
  const ended = waitingStreams(MOST);
  await expect.poll(() => ended).toEqual(Array(MOST / 2).fill(Code.ResourceExhausted));
  expect([await hasRoom(greedy), await hasRoom(other)]).toEqual([true, true]);
  leaving.abort();
  await expect.poll(() => ended.length).toBe(MOST);
  leaving = new AbortController();
  const again = waitingStreams(MOST / 2 + 1);
  await expect.poll(() => again).toEqual([Code.ResourceExhausted]);
});
