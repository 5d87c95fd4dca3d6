import { type Client, Metadata } from "@grpc/grpc-js";
import { CallBatchService, type MakeCallsResponse } from "#proto/patientindex/v1/call_batch_service_pb.ts";
import type { SendBatch } from "./batching/batch.ts";
import { connectErrorOf } from "./remote-error.ts";
import { deadlineIn, wireOf } from "./wire.ts";

/** Sends batches of calls by the channel that comes next. */
export function batchesBy(next: () => Client): SendBatch {
  const { path, encode, decode } = wireOf(CallBatchService.method.makeCalls);
  return (request, timeoutMs, hear) => {
    const options = deadlineIn(timeoutMs);
    const call = next().makeServerStreamRequest(path, encode, decode, request, new Metadata(), options);
    call.on("data", (response: MakeCallsResponse) => {
      hear.results(response.results);
      // The stream keeps the message, and Node keeps a stream of HTTP/2 until a full garbage collection.
      response.results = [];
    });
    call.on("error", (error) => hear.end(connectErrorOf(error)));
    call.on("end", () => hear.end(undefined));
    return call;
  };
}
