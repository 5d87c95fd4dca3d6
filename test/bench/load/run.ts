import { createHistogram } from "node:perf_hooks";
import { openGrpcChannel } from "./grpc-connection.ts";
import { openHttpConnection } from "./http-connection.ts";
import type { Connection, Job, Load, Measurement } from "./job.ts";
import { openLoadStreams } from "./load-streams.ts";

/** Keeps `concurrency` requests in flight for the time of the load. */
export async function run(job: Job, nextRequest: () => Buffer, load: Load): Promise<Measurement> {
  const { connections, close } = await open(job, load.concurrency);
  const latencies = createHistogram();
  const failures: string[] = [];
  const cpuAtStart = process.cpuUsage();
  const startedAt = performance.now();
  const endsAt = startedAt + load.seconds * 1000;
  const send = async (connection: Connection) => {
    for (let sentAt = performance.now(); sentAt < endsAt && failures.length < 10; ) {
      const failure = await connection.send(nextRequest());
      const answeredAt = performance.now();
      if (failure !== undefined) failures.push(failure);
      else latencies.record(Math.max(1, Math.round((answeredAt - sentAt) * 1000)));
      sentAt = answeredAt;
    }
  };
  await Promise.all(connections.map(send));
  const seconds = (performance.now() - startedAt) / 1000;
  const cpu = process.cpuUsage(cpuAtStart);
  close();
  return {
    operations: latencies.count,
    seconds,
    p50: latencies.percentile(50) / 1000,
    p99: latencies.percentile(99) / 1000,
    failures: failures.length,
    ...(failures[0] !== undefined && { failure: failures[0] }),
    generatorLoad: (cpu.user + cpu.system) / 1e6 / seconds,
  };
}

/** An HTTP/1.1 connection for each request in flight; over gRPC one channel carries them all. */
async function open({ protocol, port, path, metadata, expected }: Job, concurrency: number) {
  if (protocol === "grpc-stream") return openLoadStreams(port, metadata, concurrency);
  if (protocol === "grpc") {
    const channel = openGrpcChannel(port, path, metadata);
    return { connections: Array.from({ length: concurrency }, () => channel), close: () => channel.close() };
  }
  const connections = await Promise.all(
    Array.from({ length: concurrency }, () => openHttpConnection(port, expected)),
  );
  return {
    connections,
    close: () => {
      for (const connection of connections) connection.close();
    },
  };
}
