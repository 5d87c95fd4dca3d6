import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ServiceImplSpec } from "@connectrpc/connect";
import pg from "pg";
import { type Logger, pino } from "pino";
import { PatientService } from "#proto/patientindex/v1/patient_service_pb.ts";
import { ReadinessService } from "#proto/patientindex/v1/readiness_service_pb.ts";
import { parseSettings, type Settings } from "../../src/config.ts";
import { defaultErrorSystems } from "../../src/errors/index.ts";
import {
  type Interceptor,
  intercept,
  limitInFlight,
  standardInterceptors,
} from "../../src/grpc/interceptors/index.ts";
import { startGrpcServer } from "../../src/grpc/server.ts";
import { readinessService } from "../../src/grpc/services/readiness-service.ts";
import { openStorage, patientStore } from "../../src/storage/index.ts";
import { fetchAs, trusts } from "../callers.ts";
import { startGatewayApart } from "../gateway/started-gateway.ts";
import { estonianPatient } from "../patients/examples.ts";
import { startService } from "../service.ts";
import type { Json } from "./scenario.ts";

/** The whole service, with means to bring about what clients cannot. */
export interface IndexUnderTest {
  /** Such as http://127.0.0.1:41234. */
  readonly url: string;
  readonly grpcPort: number;
  /** Stores a resource; answers with it as it is stored. */
  store(body: Json): Promise<StoredResource>;
  /** Deletes such as RelatedPerson/70001. */
  remove(reference: string): Promise<void>;
  /** An Estonian patient, as the population register brings one: always the same. */
  estonianPatient(): Promise<StoredResource>;
  /** Speaks to the database past the service. */
  readonly database: pg.Pool;
  readonly databaseUrl: string;
  /** A gateway whose core nobody has started. */
  readonly withoutCore: string;
  /** Port of a core whose database does not answer. */
  readonly withoutDatabase: number;
  /** A gateway that gives the core 200 ms for a call. */
  readonly impatient: string;
  /** A core that lacks every method, as an older one lacks newer ones, and a gateway before it. */
  readonly older: { readonly url: string; readonly grpcPort: number };
  /** A core that has all the calls that it takes, and a gateway before it. */
  readonly busy: { readonly url: string; readonly grpcPort: number };
  /** What is stored: it differs after every write. */
  digest(): Promise<string>;
  stop(): Promise<void>;
}

export interface StoredResource extends Json {
  readonly id: string;
}

/** Small limits, so that they are soon reached. */
export const limits = { searchMaximum: 5, batchLimit: 2, bodyLimit: 20_000 } satisfies Partial<Settings>;

const silent = pino({ level: "silent" });

export async function startIndex(log: Logger = silent): Promise<IndexUnderTest> {
  const keyDirectory = await mkdtemp(join(tmpdir(), "atlas-keys-"));
  const keyFile = join(keyDirectory, "keys.json");
  const service = await startService({ ...limits, keyFile }, log);
  const database = new pg.Pool({ connectionString: service.databaseUrl, max: 3 });
  // Connections that are still closing when the database is dropped are told so, and the pool tells of it.
  database.on("error", () => undefined);
  const olderCore = await startOtherCore(log);
  const busyCore = await startOtherCore(log, limitInFlight(0));
  const severedCore = await startSeveredCore(log);
  const [withoutCore, impatient, older, busy] = await Promise.all([
    startGatewayApart("127.0.0.1:1", { log }),
    startGatewayApart(`127.0.0.1:${service.grpcPort}`, { log, callTimeoutMs: 200 }),
    startGatewayApart(`127.0.0.1:${olderCore.port}`, { log }),
    startGatewayApart(`127.0.0.1:${busyCore.port}`, { log }),
  ]);
  trusts(impatient.url, service.sandboxUrl);
  let estonian: Promise<StoredResource> | undefined;
  return {
    url: service.url,
    grpcPort: service.grpcPort,
    database,
    databaseUrl: service.databaseUrl,
    withoutCore: withoutCore.url,
    withoutDatabase: severedCore.port,
    impatient: impatient.url,
    older: { url: older.url, grpcPort: olderCore.port },
    busy: { url: busy.url, grpcPort: busyCore.port },
    store: (body) => storeOverHttp(service.url, body),
    remove: (reference) => removeOverHttp(service.url, reference),
    estonianPatient() {
      estonian ??= storeEstonianPatient(service.databaseUrl, keyFile);
      return estonian;
    },
    digest: () => digestOf(database),
    async stop() {
      await Promise.all([withoutCore, impatient, older, busy].map((gateway) => gateway.stop(0)));
      await olderCore.stop(0);
      await busyCore.stop(0);
      await severedCore.stop(0);
      await database.end();
      await service.stop();
      await rm(keyDirectory, { recursive: true });
    },
  };
}

async function storeOverHttp(url: string, body: Json): Promise<StoredResource> {
  const response = await fetchAs(`${url}/fhir/${body["resourceType"]}`, {
    method: "POST",
    headers: { "content-type": "application/fhir+json" },
    body: JSON.stringify(body),
  });
  const answer = await response.json();
  if (response.status !== 201) throw new Error(`Not stored: ${JSON.stringify(answer)}`);
  return answer as StoredResource;
}

async function removeOverHttp(url: string, reference: string): Promise<void> {
  const { status } = await fetchAs(`${url}/fhir/${reference}`, { method: "DELETE" });
  if (status !== 204) throw new Error(`Not deleted: ${status}`);
}

async function storeEstonianPatient(databaseUrl: string, keyFile: string): Promise<StoredResource> {
  const storage = await openStorage({ ...parseSettings({}), databaseUrl, keyFile }, silent, () => {});
  try {
    const patient = await patientStore(storage.database, storage.keys).create(estonianPatient(), new Date());
    return { id: patient.id ?? "" };
  } finally {
    await storage.close();
  }
}

/** A core without any method, behind what else stands before methods. */
function startOtherCore(log: Logger, ...more: Interceptor[]) {
  return startCore(log, intercept(PatientService, {}, chainOf(log, more)));
}

/** A core that is asked whether its database answers. */
function startSeveredCore(log: Logger) {
  const readiness = readinessService(() => Promise.reject(new Error("The database is away.")));
  return startCore(log, intercept(ReadinessService, readiness, chainOf(log, [])));
}

function chainOf(log: Logger, more: readonly Interceptor[]) {
  const interceptors = [...standardInterceptors(log, defaultErrorSystems), ...more];
  return { interceptors, defaultLanguage: "en" } as const;
}

function startCore(log: Logger, service: ServiceImplSpec) {
  return startGrpcServer({ host: "127.0.0.1", port: 0, services: [service], log });
}

/** Moved from one to the other by the service itself, in its own time. */
const PUBLISHED = ["outbox", "feed"];

/** Whose turn it is with background work, which processes are there, which notifications were delivered, and what registers said. */
const OF_BACKGROUND = ["lease", "index_key_user", "register_answer", "job", "block_key_backfill"];

/** Where what is refused leaves a trace, and nothing else. */
const OF_AUDIT = ["audit_stream", "audit_event"];

async function digestOf(database: pg.Pool): Promise<string> {
  const { rows } = await database.query<{ name: string }>(
    "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1",
  );
  const stored = rows
    .map(({ name }) => name)
    .filter((name) => ![...PUBLISHED, ...OF_BACKGROUND, ...OF_AUDIT].includes(name));
  const digests = stored.map(
    (name) => `SELECT md5(string_agg(t::text, ' ' ORDER BY t::text)) FROM "${name}" t`,
  );
  const published = "(SELECT count(*) FROM outbox WHERE kind = 'change') + (SELECT count(*) FROM feed)";
  const found = await database.query(`${digests.join(" UNION ALL ")} UNION ALL SELECT (${published})::text`);
  return JSON.stringify(found.rows);
}
