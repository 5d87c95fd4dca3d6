import { onServer } from "../../on-server.ts";
import type { BenchDatabase } from "../servers/database.ts";
import type { RunningService } from "../servers/service.ts";

export interface Found {
  readonly acknowledged: number;
  /** In the database. */
  readonly stored: number;
  /** Of so many that the service was asked for. */
  readonly asked: number;
  readonly answered: number;
}

const ASKED = 1000;
const AT_ONCE = 16;

/** Looks for patients that a create was acknowledged for: all of them in the database, some by the service. */
export async function findAcknowledged(
  ids: readonly string[],
  database: BenchDatabase,
  service: RunningService,
): Promise<Found> {
  const asked = ids.filter((_, place) => place % Math.ceil(ids.length / ASKED) === 0);
  return {
    acknowledged: ids.length,
    stored: await stored(new Set(ids), database),
    asked: asked.length,
    answered: await answered(asked, service),
  };
}

async function stored(ids: ReadonlySet<string>, { url }: BenchDatabase): Promise<number> {
  const { rows } = await onServer(url, (client) =>
    client.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM patient p JOIN patient_history h ON h.id = p.id AND h.version = p.version
       WHERE p.id = ANY($1::bigint[])`,
      [[...ids]],
    ),
  );
  return rows[0]?.n ?? 0;
}

async function answered(ids: readonly string[], { port, caller }: RunningService): Promise<number> {
  const waiting = [...ids];
  let good = 0;
  const askAll = async () => {
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      const answer = await fetch(`http://127.0.0.1:${port}/fhir/Patient/${id}`, { headers: caller });
      const resource = (await answer.json()) as { readonly id?: string };
      if (answer.status === 200 && resource.id === id) good++;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, askAll));
  return good;
}
