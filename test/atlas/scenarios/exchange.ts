import { setTimeout as delay } from "node:timers/promises";
import { PatientService } from "#proto/patientindex/v1/patient_service_pb.ts";
import { ReadinessService } from "#proto/patientindex/v1/readiness_service_pb.ts";
import { GrpcStatus } from "../../../src/errors/index.ts";
import { calls } from "../grpc-calls.ts";
import { type IndexUnderTest, limits } from "../index-under-test.ts";
import { verified } from "../people.ts";
import { FHIR_JSON, posts, postsText, puts, reads } from "../requests.ts";
import type { Scenario } from "../scenario.ts";

const general = { code: "MPI-400", issueType: "not-supported" } as const;

/** What goes wrong on the way to the index. */
export const exchangeScenarios: readonly Scenario[] = [
  {
    ...general,
    meaning: "ROUTE_UNKNOWN",
    only: "http",
    issueType: "not-found",
    status: { http: 404 },
    prepare: () => ({ http: { method: "GET", path: "/Practitioner/1" } }),
  },
  {
    ...general,
    meaning: "VERSION_UNKNOWN",
    status: { http: 404, grpc: GrpcStatus.INVALID_ARGUMENT },
    understood: "language",
    prepare: () => ({
      http: { method: "GET", base: "/9.9.9/fhir", path: "/Patient/1" },
      grpc: calls(PatientService.method.readPatient, { id: "1" }, { metadata: { "x-mpi-version": "9.9.9" } }),
    }),
  },
  {
    meaning: "INTERACTION_NOT_OFFERED",
    only: "http",
    code: "MPI-403",
    issueType: "not-supported",
    status: { http: 405 },
    prepare: () => ({ http: { method: "DELETE", path: "/Patient/1" } }),
  },
  {
    ...general,
    meaning: "ADDRESS_MALFORMED",
    only: "http",
    issueType: "invalid",
    prepare: () => ({ http: { method: "GET", path: "/Patient/%ZZ" } }),
  },
  {
    ...general,
    meaning: "REQUEST_UNREADABLE",
    only: "http",
    issueType: "structure",
    understood: "nothing",
    prepare: () => ({ http: { bytes: "GET /fhir/Patient/1 HTTP/1.1\r\nhost here\r\n\r\n" } }),
  },
  {
    ...general,
    meaning: "HEADERS_TOO_LARGE",
    only: "http",
    issueType: "too-long",
    status: { http: 431 },
    understood: "nothing",
    prepare: () => ({ http: { method: "GET", path: `/Patient?_id=${"1,".repeat(10_000)}` } }),
  },
  {
    ...general,
    meaning: "REQUEST_TOO_SLOW",
    only: "http",
    issueType: "timeout",
    status: { http: 408 },
    understood: "nothing",
    slow: true,
    prepare: () => ({ http: { bytes: "GET /fhir/Patient/1 HTTP/1.1\r\nhost: " } }),
  },
  {
    ...general,
    meaning: "NOT_ACCEPTABLE",
    only: "http",
    expression: "http.accept",
    status: { http: 406 },
    prepare: () => ({ http: { method: "GET", path: "/Patient/1", headers: { accept: "text/html" } } }),
  },
  {
    ...general,
    meaning: "MEDIA_TYPE_UNSUPPORTED",
    only: "http",
    expression: "http.content-type",
    status: { http: 415 },
    prepare: () => ({
      http: { ...posts(verified()), headers: { "content-type": "text/plain" } },
    }),
  },
  {
    ...general,
    meaning: "COMPRESSION_UNSUPPORTED",
    only: "http",
    expression: "http.content-encoding",
    status: { http: 415 },
    prepare: () => ({
      http: {
        ...posts(verified()),
        headers: { "content-type": "application/fhir+json", "content-encoding": "gzip" },
      },
    }),
  },
  {
    ...general,
    meaning: "BODY_TOO_LARGE",
    only: "http",
    issueType: "too-long",
    status: { http: 413 },
    prepare: () => ({ http: postsText("Patient", " ".repeat(limits.bodyLimit + 1)) }),
  },
  {
    meaning: "HEADER_MALFORMED",
    only: "http",
    code: "MPI-096",
    issueType: "value",
    expression: "http.if-match",
    async prepare(index) {
      const stored = await index.store(verified());
      const headers = { ...FHIR_JSON, "if-match": "the latest" };
      return { http: { ...puts(stored.id, stored), headers } };
    },
  },
  {
    meaning: "PARAMETER_MALFORMED",
    only: "http",
    code: "MPI-096",
    issueType: "value",
    expression: "http._since",
    prepare: () => ({ http: { method: "GET", path: "/Patient/_history?_since=yesterday" } }),
  },
  {
    ...general,
    meaning: "TOO_MANY_REQUESTS",
    issueType: "throttled",
    status: { http: 429, grpc: GrpcStatus.RESOURCE_EXHAUSTED },
    prepare: ({ busy }) => ({
      http: { method: "GET", path: "/Patient/1", origin: busy.url },
      grpc: calls(PatientService.method.readPatient, { id: "1" }, { port: busy.grpcPort }),
    }),
  },
  {
    ...general,
    meaning: "NOT_IMPLEMENTED",
    status: { http: 501, grpc: GrpcStatus.UNIMPLEMENTED },
    prepare: ({ older }) => ({
      http: { method: "GET", path: "/Patient/1", origin: older.url },
      grpc: calls(PatientService.method.readPatient, { id: "1" }, { port: older.grpcPort }),
    }),
  },
  {
    ...general,
    meaning: "SERVICE_UNAVAILABLE",
    issueType: "transient",
    status: { http: 503, grpc: GrpcStatus.UNAVAILABLE },
    prepare: ({ withoutCore, withoutDatabase }) => ({
      http: { method: "GET", path: "/Patient/1", origin: withoutCore },
      grpc: calls(ReadinessService.method.checkReadiness, {}, { port: withoutDatabase }),
    }),
  },
  {
    ...general,
    meaning: "DEADLINE_EXCEEDED",
    only: "http",
    issueType: "timeout",
    status: { http: 504 },
    async prepare(index) {
      const stored = await index.store(verified());
      const holder = await index.database.connect();
      await holder.query("BEGIN");
      await holder.query("SELECT id FROM patient WHERE id = $1 FOR UPDATE", [stored.id]);
      return {
        http: { ...puts(stored.id, { ...stored, gender: "other" }), origin: index.impatient },
        async after() {
          await cancelled(index);
          await holder.query("ROLLBACK");
          holder.release();
        },
      };
    },
  },
  {
    meaning: "INDEX_DECRYPTION_FAILED",
    code: "MPI-003",
    issueType: "exception",
    async prepare(index) {
      const { id } = await index.store(verified());
      await index.database.query(
        "UPDATE identifier_value SET ciphertext = set_byte(ciphertext, 20, get_byte(ciphertext, 20) # 1) WHERE patient_id = $1",
        [id],
      );
      return reads(`Patient/${id}`);
    },
  },
  {
    meaning: "INTERNAL_ERROR",
    code: "MPI-001",
    issueType: "exception",
    async prepare(index) {
      const { id } = await index.store(verified());
      await index.database.query("UPDATE patient SET document = '\\x07' WHERE id = $1", [id]);
      return reads(`Patient/${id}`);
    },
  },
];

/** Waits until no statement waits for a lock any more: the server is told of a cancelled one over another connection. */
async function cancelled({ database }: IndexUnderTest): Promise<void> {
  const waiting =
    "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
  for (let look = 0; look < 2_000; look++) {
    if ((await database.query(waiting)).rowCount === 0) return;
    await delay(25);
  }
  throw new Error("A statement whose caller has gone still waits for its lock.");
}
