import { EventEmitter } from "node:events";
import { Code } from "@connectrpc/connect";
import { Metadata } from "@grpc/grpc-js";
import { expect, it } from "vitest";
import { GrpcHandlerContext, type ServerCall } from "../../../src/grpc/calls/handler-context.ts";
import { EchoService } from "../echo-service.ts";

/** A call as grpc-js has it, with so many milliseconds left of its time. */
class Call extends EventEmitter implements ServerCall {
  readonly metadata = new Metadata();
  readonly #deadline: number;
  cancelled = false;

  constructor(msLeft: number) {
    super();
    this.#deadline = Date.now() + msLeft;
  }

  cancel(): void {
    this.cancelled = true;
    this.emit("cancelled");
  }

  getDeadline = () => this.#deadline;
  getHost = () => "core";
  getPath = () => "/test.EchoService/Say";
  sendMetadata = () => undefined;
}

function contextOf(call: Call): GrpcHandlerContext {
  return new GrpcHandlerContext(EchoService.method.say, call);
}

it.each([
  [60_000, Code.Canceled],
  [Number.POSITIVE_INFINITY, Code.Canceled],
  // A timer may end a call a millisecond early.
  [1, Code.DeadlineExceeded],
  [0, Code.DeadlineExceeded],
])("a call with %d ms left is ended for %i", (msLeft, code) => {
  const call = new Call(msLeft);
  const { signal } = contextOf(call);
  expect(signal.aborted).toBe(false);
  call.cancel();
  expect(signal.reason).toMatchObject({ code });
});

it("whoever asks for the signal of a call that has been cancelled finds it aborted", () => {
  const call = new Call(60_000);
  const context = contextOf(call);
  call.cancel();
  expect(context.signal.reason).toMatchObject({ code: Code.Canceled });
});

it("a call that was answered was not cancelled", () => {
  const call = new Call(0);
  const context = contextOf(call);
  const { signal } = context;
  context.finish();
  call.cancel();
  expect(signal.reason).toMatchObject({ rawMessage: "the call is over" });
});

it("a call without a deadline may take for ever", () => {
  expect(contextOf(new Call(Number.POSITIVE_INFINITY)).timeoutMs()).toBeUndefined();
});
