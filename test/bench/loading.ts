// How fast new patients are loaded, beside creating them one by one: npm run bench:loading
import { join } from "node:path";
import { createClient } from "@connectrpc/connect";
import { PatientLoadService } from "#proto/patientindex/v1/patient_load_service_pb.ts";
import type { Patient } from "#proto/patientindex/v1/patient_pb.ts";
import { PatientService } from "#proto/patientindex/v1/patient_service_pb.ts";
import { createRemoteTransport } from "../../gateway/transport/remote.ts";
import { inventForeigner, Random } from "../../src/invented-people/index.ts";
import { printedPort, startChild } from "./child.ts";
import { prepareDatabase } from "./database.ts";
import { callerOf } from "./service.ts";

const SERVICE = join(import.meta.dirname, "..", "..", "src", "start.mjs");
const PATIENTS = 20_000;
const ROUNDS = 3;
const SECONDS = 4;
const CONCURRENCY = 32;
const MESSAGE = 200;
const STREAMS = 2;
const SEED = 77;

let next = 10_000_000;

const database = await prepareDatabase(PATIENTS, (line) => console.error(line));
try {
  await measure();
} finally {
  await database.drop();
}

async function measure(): Promise<void> {
  const service = await startChild({
    command: [SERVICE],
    environment: {
      DATABASE_URL: database.url,
      MPI_KEY_FILE: database.keyFile,
      MPI_HTTP_PORT: "0",
      MPI_GRPC_PORT: "0",
      MPI_SANDBOX_PORT: "0",
      MPI_CALLER_RATE: "0",
      MPI_LOG_LEVEL: "fatal",
    },
    ready: /The patient index is ready/,
  });
  const target = `127.0.0.1:${printedPort(service, /gRPC listens on .*:(\d+)/)}`;
  const transport = createRemoteTransport({ target });
  const headers = await callerOf(service);
  const patients = createClient(PatientService, transport);
  const loading = createClient(PatientLoadService, transport);
  const createOne = async () => {
    await patients.createPatient({ patient: newcomer() }, { headers });
    return 1;
  };
  const loadOn = (isOver: () => boolean) => stored(loading.loadPatients(messages(isOver), { headers }));
  try {
    for (let round = 0; round <= ROUNDS; round++) {
      const single = await ratePerSecond(CONCURRENCY, (isOver) => repeated(isOver, createOne));
      const loaded = await ratePerSecond(STREAMS, loadOn);
      // The first round warms up.
      if (round > 0)
        console.log(`${single} created, ${loaded} loaded a second: ${(loaded / single).toFixed(1)} times`);
    }
  } finally {
    transport.close();
    await service.stop();
  }
}

/** How many patients a second so many at once store. */
async function ratePerSecond(
  atOnce: number,
  work: (isOver: () => boolean) => Promise<number>,
): Promise<number> {
  const startedAt = performance.now();
  const isOver = () => performance.now() - startedAt > SECONDS * 1000;
  const counts = await Promise.all(Array.from({ length: atOnce }, () => work(isOver)));
  const seconds = (performance.now() - startedAt) / 1000;
  return Math.round(counts.reduce((sum, count) => sum + count, 0) / seconds);
}

async function repeated(isOver: () => boolean, step: () => Promise<number>): Promise<number> {
  let count = 0;
  while (!isOver()) count += await step();
  return count;
}

async function* messages(isOver: () => boolean) {
  while (!isOver()) yield { patients: Array.from({ length: MESSAGE }, newcomer) };
}

async function stored(answers: AsyncIterable<{ readonly stored: bigint }>): Promise<number> {
  let count = 0n;
  for await (const answer of answers) count = answer.stored;
  return Number(count);
}

function newcomer(): Patient {
  next += 1;
  return inventForeigner(new Random(SEED, next), next);
}
