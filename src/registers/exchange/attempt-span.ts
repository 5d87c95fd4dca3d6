import { currentSpan } from "../../call/current-call.ts";
import { continueIn, errorTypeOf, type Span } from "../../tracing/index.ts";
import { NoAnswer, Refusal } from "./failures.ts";

/** Which register is asked, and where. */
interface Asked {
  readonly address: string;
  readonly register?: string;
}

/** An attempt to ask a service of a register, in the trace of the work at hand; undefined where none is told. */
export function spanOfAttempt(
  { address, register }: Asked,
  service: string,
  before: number,
): Span | undefined {
  const work = currentSpan();
  if (!work) return undefined;
  const { protocol, hostname, port } = new URL(address);
  return work.child(`POST ${register ?? "register"}/${service}`, "client", {
    "http.request.method": "POST",
    "server.address": hostname,
    "server.port": Number(port) || (protocol === "https:" ? 443 : 80),
    "mpi.register": register,
    "mpi.register.service": service,
    ...(before > 0 && { "http.request.resend_count": before }),
  });
}

/** Makes the attempt, and has the register know which trace it is part of. */
export async function spanned<Answer>(
  span: Span | undefined,
  headers: Headers,
  attempt: () => Promise<Answer>,
): Promise<Answer> {
  if (!span) return await attempt();
  continueIn(headers, span);
  try {
    const answer = await attempt();
    span.end();
    return answer;
  } catch (error) {
    span.end(kindOf(error));
    throw error;
  }
}

/** In the words of the metrics of the register. */
function kindOf(error: unknown): string {
  if (error instanceof NoAnswer) return error.silence;
  return error instanceof Refusal ? "refused" : errorTypeOf(error);
}
