import { Code, ConnectError } from "@connectrpc/connect";
import { MpiError } from "../../src/errors/index.ts";
import type { Answer } from "../exchange/answer.ts";
import type { Core } from "../exchange/setting.ts";

const TIMEOUT_MS = 2_000;

/** The last id there can be: the database is asked for it, and nobody is looked at. */
const NOBODY = "999999999999999999";

/** What is told of the gateway itself, by path. */
export const healthPaths: Readonly<Record<string, (core: Core) => Answer | Promise<Answer>>> = {
  "/health/live": up,
  "/health/ready": readiness,
};

/** That the core and its database can be asked; refused with SERVICE_UNAVAILABLE when it cannot. */
async function readiness({ patients }: Core): Promise<Answer> {
  try {
    await patients.readPatient({ id: NOBODY }, { timeoutMs: TIMEOUT_MS });
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
