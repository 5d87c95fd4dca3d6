import type { Transaction } from "../connection/database.ts";
import type { Membership } from "../patients/reading/memberships.ts";
import { timestampTexts } from "../versions/timestamps.ts";

/** Writes members into the group of a root, as of an instant. */
export async function insertMembers(
  transaction: Transaction,
  rootId: bigint,
  members: readonly Pick<Membership, "memberId" | "primaryId" | "linkedAt">[],
  at: Date,
): Promise<void> {
  if (members.length === 0) return;
  await transaction.$executeRaw`
    INSERT INTO link_group (root_id, member_id, primary_id, linked_at, joined_at)
    SELECT ${rootId}, member_id, primary_id, linked_at::timestamp(3), ${at}
    FROM unnest(${members.map((member) => member.memberId)}::bigint[],
      ${members.map((member) => member.primaryId)}::bigint[],
      ${timestampTexts(members.map((member) => member.linkedAt))}::text[])
      AS member (member_id, primary_id, linked_at)`;
}

/** Takes members out of the group of a root, and keeps in its history that they were there. */
export async function removeMembers(
  transaction: Transaction,
  rootId: bigint,
  memberIds: readonly bigint[],
  at: Date,
): Promise<void> {
  if (memberIds.length === 0) return;
  await transaction.$executeRaw`
    INSERT INTO link_group_history (root_id, member_id, primary_id, linked_at, joined_at, left_at)
    SELECT root_id, member_id, primary_id, linked_at, joined_at, ${at}
    FROM link_group WHERE root_id = ${rootId} AND member_id = ANY(${memberIds})`;
  await transaction.$executeRaw`
    DELETE FROM link_group WHERE root_id = ${rootId} AND member_id = ANY(${memberIds})`;
}
