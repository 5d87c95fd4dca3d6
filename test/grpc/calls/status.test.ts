import { Code, ConnectError } from "@connectrpc/connect";
import { Metadata } from "@grpc/grpc-js";
import { expect, it } from "vitest";
import { grpcStatusOf, statusMessageOf } from "../../../src/grpc/calls/status.ts";

it("what was not meant for the caller shows nothing of itself, alone or in a batch", () => {
  const failure = new Error("relation identifier_value does not exist");
  expect(grpcStatusOf(failure)).toMatchObject({ code: Code.Internal, details: "internal error" });
  expect(statusMessageOf(failure)).toMatchObject({
    code: Code.Internal,
    message: "internal error",
    details: [],
  });
});

it.each([
  ["meant for the caller", new ConnectError("refused", Code.InvalidArgument)],
  ["nobody expected", new Error("unexpected")],
])("the trailers of a call go with a failure that was %s", (_, failure) => {
  const trailer = new Metadata();
  trailer.set("x-request-id", "1");
  expect(grpcStatusOf(failure, trailer).metadata?.getMap()).toEqual({ "x-request-id": "1" });
});

it("a long text is cut, and a character that this cuts is one that can be sent", () => {
  const { details = "" } = grpcStatusOf(new ConnectError(`${"a".repeat(199)}😀`, Code.InvalidArgument));
  expect(details).toBe(`${"a".repeat(199)}\u{fffd}`);
});
