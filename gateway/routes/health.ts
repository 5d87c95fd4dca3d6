import { Code, ConnectError } from "@connectrpc/connect";
import { MpiError } from "../../src/errors/index.ts";
import type { Answer } from "../exchange/answer.ts";
import type { Core } from "../exchange/setting.ts";

const TIMEOUT_MS = 2_000;

/** What is told of the gateway itself, by path. */
export const healthPaths: Readonly<Record<string, (core: Core) => Answer | Promise<Answer>>> = {
  "/health/live": up,
  "/health/ready": readiness,
};

/** That the core can be asked; refused with SERVICE_UNAVAILABLE when it cannot. */
async function readiness({ patients }: Core): Promise<Answer> {
  try {
    // No patient has this id, so nobody is looked at: any answer of the core's own is a sign of life.
    await patients.readPatient({ id: "0" }, { timeoutMs: TIMEOUT_MS });
  } catch (cause) {
    const { code } = ConnectError.from(cause);
    if (unready.has(code)) throw new MpiError("SERVICE_UNAVAILABLE", {}, { cause });
  }
  return up();
}

const unready: ReadonlySet<Code> = new Set([
  Code.Unavailable,
  Code.DeadlineExceeded,
  Code.Internal,
  Code.Unknown,
  Code.Canceled,
]);

/** That the process answers at all. */
function up(): Answer {
  return {
    status: 200,
    headers: { "content-type": "application/json; charset=utf-8" },
    body: '{"status":"up"}',
  };
}
