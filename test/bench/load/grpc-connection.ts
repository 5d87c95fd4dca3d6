import { ChannelCredentials, Client, Metadata } from "@grpc/grpc-js";
import type { Connection } from "./job.ts";

const asItIs = (bytes: Buffer) => bytes;

/** Calls of one method over one channel; the messages go out as they are, the answers are not decoded. */
export function openGrpcChannel(
  port: number,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Connection {
  const client = new Client(`127.0.0.1:${port}`, ChannelCredentials.createInsecure(), {
    "grpc.enable_channelz": 0,
  });
  const metadata = Metadata.fromHttp2Headers(headers);
  return {
    send: (request) =>
      new Promise((resolve) => {
        client.makeUnaryRequest(path, asItIs, asItIs, request, metadata, (error) => resolve(error?.message));
      }),
    close: () => client.close(),
  };
}
