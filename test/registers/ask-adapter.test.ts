import { type CallOptions, Code, ConnectError } from "@connectrpc/connect";
import { expect, it } from "vitest";
import { Accesses } from "../../src/call/accesses.ts";
import { inNameOf } from "../../src/call/author.ts";
import { type CurrentCall, underCall } from "../../src/call/current-call.ts";
import { catalogueVersions, fault, GrpcStatus } from "../../src/errors/index.ts";
import { type AdapterSilence, askAdapter, isNoCacheCall } from "../../src/grpc/registers/ask-adapter.ts";

const TIMEOUT_MS = 1_000;

const silence: AdapterSilence = (status) => fault("XROAD_RR_SYSTEM_ERROR", {}, status ? { status } : {});

function callWith(headers: Record<string, string>): CurrentCall {
  return {
    headers: new Headers(headers),
    requestId: "road-1",
    method: "PatientService/ReadPatient",
    version: catalogueVersions[0],
    caller: undefined,
    accesses: new Accesses(),
    deadline: undefined,
  };
}

/** The options that an adapter is called with. */
async function optionsOf(asking: (ask: () => Promise<CallOptions>) => Promise<CallOptions>) {
  const options = await asking(() => askAdapter(TIMEOUT_MS, silence, async (given) => given));
  return { ...options, headers: Object.fromEntries(new Headers(options.headers)) };
}

it("an adapter learns from a call what the register and its answer depend on, and no token", async () => {
  const passedOn = {
    "accept-language": "en",
    "x-mpi-version": catalogueVersions[0],
    "x-road-userid": "EE46602140023",
    "x-road-client": "EE/GOV/70009770/ward",
    "x-road-issue": "visit 12",
    traceparent: `00-${"a".repeat(32)}-${"b".repeat(16)}-01`,
    tracestate: "vendor=1",
  };
  const call = callWith({ ...passedOn, authorization: "Bearer secret", "x-road-id": "of the caller" });
  const { headers, timeoutMs } = await optionsOf((ask) => underCall(call, ask));
  expect(headers).toEqual({ ...passedOn, "x-road-id": "road-1" });
  // An adapter may take a little longer than its register.
  expect(timeoutMs).toBeGreaterThan(TIMEOUT_MS);
});

it("background work asks in the name of whoever caused it", async () => {
  const author = { personalCode: "46602140023", reason: "visiit öösel" };
  const { headers } = await optionsOf((ask) => inNameOf(author as Parameters<typeof inNameOf>[0], ask));
  expect(headers).toEqual({
    "x-road-userid": "EE46602140023",
    "x-road-issue": encodeURIComponent("visiit öösel"),
  });
});

it.each([
  ["no-cache", true],
  ["max-age=0, No-Cache", true],
  ["no-cache=x", false],
  ["max-age=0", false],
])("a call with Cache-Control: %s wants the register itself: %j", (value, wanted) => {
  expect(underCall(callWith({ "cache-control": value }), isNoCacheCall)).toBe(wanted);
});

it.each([
  [Code.Unavailable, GrpcStatus.UNAVAILABLE],
  [Code.Aborted, GrpcStatus.UNAVAILABLE],
  [Code.Canceled, GrpcStatus.UNAVAILABLE],
  [Code.ResourceExhausted, GrpcStatus.UNAVAILABLE],
  [Code.Unauthenticated, GrpcStatus.UNAVAILABLE],
  [Code.PermissionDenied, GrpcStatus.UNAVAILABLE],
  [Code.Unimplemented, GrpcStatus.UNAVAILABLE],
  [Code.DeadlineExceeded, GrpcStatus.DEADLINE_EXCEEDED],
  [Code.Internal, GrpcStatus.UNKNOWN],
  [Code.Unknown, GrpcStatus.UNKNOWN],
])("an adapter that fails with code %i means status %i", async (code, status) => {
  const asked = askAdapter(TIMEOUT_MS, silence, () => Promise.reject(new ConnectError("failed", code)));
  await expect(asked).rejects.toMatchObject({ status });
});

it("whoever has gone is not told that an adapter was away", async () => {
  const left = new Error("left");
  const call = callWith({});
  const ask = () => askAdapter(TIMEOUT_MS, silence, () => Promise.reject(left));
  await expect(underCall(call, ask, AbortSignal.abort(left))).rejects.toBe(left);
});
