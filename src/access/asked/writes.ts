import { ChangeInteraction } from "#proto/patientindex/v1/change_interaction_pb.ts";
import type { InteractionName } from "../matrix/permissions.ts";
import type { Asked } from "./rpc.ts";

/** What writes of a type of resource are called. */
export type Writes = Readonly<Partial<Record<ChangeInteraction, InteractionName>>>;

export const patientWrites: Writes = {
  [ChangeInteraction.CREATE]: "create Patient",
  [ChangeInteraction.UPDATE]: "update Patient",
};

export const relatedPersonWrites: Writes = {
  [ChangeInteraction.CREATE]: "create RelatedPerson",
  [ChangeInteraction.UPDATE]: "update RelatedPerson",
  [ChangeInteraction.DELETE]: "delete RelatedPerson",
};

export const observationWrites: Writes = {
  [ChangeInteraction.CREATE]: "create Observation",
  [ChangeInteraction.UPDATE]: "update Observation",
  [ChangeInteraction.DELETE]: "delete Observation",
};

/**
 * A look with the write that it is taken for, if any: that is asked for too, whatever is found, also when there is nothing
 * to be written then.
 */
export function lookBefore(
  interaction: InteractionName,
  write: InteractionName | undefined,
  subjects: Asked["subjects"],
): Asked[] {
  const look: Asked = { interaction, subjects };
  return write === undefined ? [look] : [look, { ...look, interaction: write }];
}
