import { onServer } from "../../on-server.ts";
import { cellsAt } from "./cells.ts";
import { ask } from "./client.ts";
import type { Cell, Dimension, Place } from "./dimension.ts";
import { addAlike } from "./patients.ts";

const unchanging = { most: 1.5, each: 0 };

/** There is one feed of patients: it is measured at one length after the other. */
export const feed: Dimension = {
  name: "feed",
  of: "changes in the feed of patients",
  sizes: [20_000, 200_000, 2_000_000],
  isOneAfterTheOther: true,
  bars: {
    newest: unchanging,
    oldest: unchanging,
    "newest since": unchanging,
    "oldest since": unchanging,
  },
  async prepare(place, [size = 0]) {
    await lengthen(place, size);
    const since = encodeURIComponent(await lastPublished(place));
    const cell = cellsAt(place.service, size);
    const page = "Patient/_history?_count=10";
    return [
      cell("newest", ["GET", page]),
      cell("oldest", ["GET", `${page}&_sort=_lastUpdated`]),
      cell("newest since", ["GET", `${page}&_since=${since}`]),
      cell("oldest since", ["GET", `${page}&_since=${since}&_sort=_lastUpdated`]),
    ] satisfies Cell[];
  },
};

/** Adds to the feed what was published long ago; behind that comes what was published just now. */
async function lengthen({ database, service }: Place, length: number): Promise<void> {
  await onServer(database.url, async (server) => {
    await server.query(
      `INSERT INTO feed (resource_type, position, published_at, patient_id, dependent, version)
       SELECT 'Patient', last + n, published, (SELECT min(id) FROM patient), 0, 1
       FROM (SELECT max(position) AS last, max(published_at) AS published FROM feed WHERE resource_type = 'Patient') AS end_of_feed,
         generate_series(1, $1 - last) AS n`,
      [length],
    );
    await server.query("VACUUM ANALYZE feed");
  });
  await addAlike(service, 5);
}

async function lastPublished({ database, service }: Place): Promise<string> {
  // A page of the feed publishes what is committed.
  await ask(service, "GET", "Patient/_history?_count=1");
  return await onServer(database.url, async (server) => {
    const { rows } = await server.query<{ at: string }>(
      `SELECT to_char(max(published_at), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS at FROM feed WHERE resource_type = 'Patient'`,
    );
    return rows[0]?.at ?? "";
  });
}
