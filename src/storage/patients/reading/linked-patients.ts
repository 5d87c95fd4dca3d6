import type { Database } from "../../connection/database.ts";

/** How often a group that changed between two statements is looked for: no request is as unlucky as that. */
const LOOKS = 10;

/**
 * The ids of these patients and of everybody who is linked with them, by the patient. Roots and members are asked for one
 * after the other, each in its shard. Who is not in the group of its root any more has changed over between the two, and
 * is looked up again: else others would be told of in its place.
 */
export async function selectLinked(
  database: Database,
  ids: readonly bigint[],
): Promise<ReadonlyMap<bigint, readonly bigint[]>> {
  for (let look = 1; ; look++) {
    const linked = await selectRootsOfLinked(database, ids);
    if (linked.length === 0) return new Map();
    const groups = await selectGroups(database, new Set(linked.map(({ rootId }) => rootId)));
    const isWhole = linked.every(({ id, rootId }) => groups.get(rootId)?.includes(id));
    if (isWhole || look === LOOKS) {
      return new Map(linked.map(({ id, rootId }) => [id, groups.get(rootId) ?? [id]]));
    }
  }
}

interface RootOf {
  readonly id: bigint;
  readonly rootId: bigint;
}

/** The roots of those who are linked; of who is alone there is none. */
async function selectRootsOfLinked(database: Database, ids: readonly bigint[]): Promise<RootOf[]> {
  return await database.$queryRaw<RootOf[]>`
    SELECT id, root_id AS "rootId" FROM patient WHERE id = ANY(${ids}) AND root_id IS NOT NULL`;
}

/** The groups of roots, each with its root; of one that is a root no more there is none. */
async function selectGroups(
  database: Database,
  roots: ReadonlySet<bigint>,
): Promise<ReadonlyMap<bigint, readonly bigint[]>> {
  const members = await database.$queryRaw<{ rootId: bigint; memberId: bigint }[]>`
    SELECT root_id AS "rootId", member_id AS "memberId" FROM link_group WHERE root_id = ANY(${[...roots]})`;
  const byRoot = Map.groupBy(members, ({ rootId }) => rootId);
  return new Map([...byRoot].map(([root, rows]) => [root, [root, ...rows.map(({ memberId }) => memberId)]]));
}
