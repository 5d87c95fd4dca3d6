import { Code, createClient } from "@connectrpc/connect";
import { pino } from "pino";
import { expect, test } from "vitest";
import { ReadinessService } from "#proto/patientindex/v1/readiness_service_pb.ts";
import { createInProcessTransport } from "../../../gateway/transport/in-process/in-process.ts";
import { defaultErrorSystems } from "../../../src/errors/index.ts";
import { intercept, standardInterceptors } from "../../../src/grpc/interceptors/index.ts";
import { readinessService } from "../../../src/grpc/services/readiness-service.ts";
import { rejectionOf } from "../refusals.ts";

function readinessBy(askDatabase: () => Promise<void>) {
  const interceptors = standardInterceptors(pino({ level: "silent" }), defaultErrorSystems);
  const spec = intercept(ReadinessService, readinessService(askDatabase, 50), {
    interceptors,
    defaultLanguage: "en",
  });
  return createClient(ReadinessService, createInProcessTransport([spec]));
}

test("a core whose database answers is ready", async () => {
  await readinessBy(async () => undefined).checkReadiness({});
});

test("a core whose database is away, or says nothing, is not, and says so before its asker has to hang up", async () => {
  for (const ask of [() => Promise.reject(new Error("away")), () => new Promise<void>(() => undefined)]) {
    expect((await rejectionOf(readinessBy(ask).checkReadiness({}))).code).toBe(Code.Unavailable);
  }
});
