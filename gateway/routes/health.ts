import { MpiError } from "../../src/errors/index.ts";
import type { Answer } from "../exchange/answer.ts";
import type { Core } from "../exchange/core.ts";

const TIMEOUT_MS = 2_000;

/** What is told of the gateway itself, by path. */
export const healthPaths: Readonly<Record<string, (core: Core) => Answer | Promise<Answer>>> = {
  "/health/live": up,
  "/health/ready": readiness,
};

/** That the core and its database can be asked; refused with SERVICE_UNAVAILABLE when it cannot. */
async function readiness({ readiness: service }: Core): Promise<Answer> {
  try {
    await service.checkReadiness({}, { timeoutMs: TIMEOUT_MS });
  } catch (cause) {
    throw new MpiError("SERVICE_UNAVAILABLE", {}, { cause });
  }
  return up();
}

/** That the process answers at all. */
function up(): Answer {
  return {
    status: 200,
    headers: { "content-type": "application/json; charset=utf-8" },
    body: '{"status":"up"}',
  };
}
