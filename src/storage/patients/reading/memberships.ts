import type { Database, Transaction } from "../../connection/database.ts";

/** That a patient is, or was, in the group of a root; a row of link_group or of link_group_history. */
export interface Membership {
  readonly rootId: bigint;
  readonly memberId: bigint;
  readonly primaryId: bigint;
  /** When the member was linked to primaryId. */
  readonly linkedAt: Date;
  /** Since when, and until when, it is in the group of this root. */
  readonly joinedAt: Date;
  readonly leftAt: Date | null;
}

/** Who was in the groups of these roots at any time between two instants, the later one included. */
export async function selectMemberships(
  database: Database | Transaction,
  rootIds: readonly bigint[],
  [from, to]: readonly [from: Date, to: Date],
): Promise<Membership[]> {
  return await database.$queryRaw<Membership[]>`
    SELECT root_id AS "rootId", member_id AS "memberId", primary_id AS "primaryId", linked_at AS "linkedAt",
      joined_at AS "joinedAt", NULL::timestamp(3) AS "leftAt"
    FROM link_group WHERE root_id = ANY(${rootIds}) AND joined_at <= ${to}
    UNION ALL
    SELECT root_id, member_id, primary_id, linked_at, joined_at, left_at
    FROM link_group_history WHERE root_id = ANY(${rootIds}) AND joined_at <= ${to} AND left_at > ${from}`;
}

/** Whether a membership holds at an instant. */
export function holdsAt({ joinedAt, leftAt }: Membership, at: Date): boolean {
  return joinedAt <= at && (leftAt === null || leftAt > at);
}

/** The members of a group, its root left out: as they stay under the lock of the root. */
export async function selectGroup(transaction: Transaction, rootId: bigint): Promise<Membership[]> {
  return await transaction.$queryRaw<Membership[]>`
    SELECT root_id AS "rootId", member_id AS "memberId", primary_id AS "primaryId", linked_at AS "linkedAt",
      joined_at AS "joinedAt", NULL::timestamp(3) AS "leftAt"
    FROM link_group WHERE root_id = ${rootId}`;
}
