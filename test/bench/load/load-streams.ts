import { fromBinary } from "@bufbuild/protobuf";
import { ChannelCredentials, Client, type ClientDuplexStream, Metadata } from "@grpc/grpc-js";
import {
  type LoadPatientsResponse,
  LoadPatientsResponseSchema,
  PatientLoadService,
} from "#proto/patientindex/v1/patient_load_service_pb.ts";
import type { Connection } from "./job.ts";

/** While a message is written the next one is on its way. */
const AHEAD = 2;

const PATH = `/${PatientLoadService.typeName}/${PatientLoadService.method.loadPatients.name}`;

type Stream = ClientDuplexStream<Buffer, LoadPatientsResponse>;

/** Streams of LoadPatients on which so many messages are on their way; the messages go out as they are. */
export function openLoadStreams(
  port: number,
  headers: Readonly<Record<string, string>> = {},
  inFlight: number,
): { connections: Connection[]; close(): void } {
  const client = new Client(`127.0.0.1:${port}`, ChannelCredentials.createInsecure(), {
    "grpc.enable_channelz": 0,
  });
  const metadata = Metadata.fromHttp2Headers(headers);
  const streams = Array.from({ length: Math.ceil(inFlight / AHEAD) }, () =>
    client.makeBidiStreamRequest<Buffer, LoadPatientsResponse>(
      PATH,
      (bytes) => bytes,
      (bytes) => fromBinary(LoadPatientsResponseSchema, bytes),
      metadata,
    ),
  );
  return {
    connections: streams.flatMap((stream) => Array<Connection>(AHEAD).fill(connectionOn(stream))),
    close() {
      for (const stream of streams) stream.cancel();
      client.close();
    },
  };
}

/** The answers of a stream come in the order of its messages. */
function connectionOn(stream: Stream): Connection {
  const waiting: ((failure: string | undefined) => void)[] = [];
  let isOver = false;
  stream.on("data", ({ alreadyThere, refused }: LoadPatientsResponse) => {
    const isGood = alreadyThere + refused === 0n;
    waiting.shift()?.(isGood ? undefined : `${alreadyThere} were there, ${refused} refused`);
  });
  stream.on("error", ({ message }) => {
    isOver = true;
    for (const answer of waiting.splice(0)) answer(message);
  });
  return {
    send: (request) =>
      new Promise((resolve) => {
        if (isOver) return resolve("The stream is over.");
        waiting.push(resolve);
        stream.write(request);
      }),
    close: () => stream.cancel(),
  };
}
