import type { Caller } from "../call/caller.ts";
import { type Fault, fault, MpiError, refuseFor } from "../errors/index.ts";
import type { Asked } from "./asked/rpc.ts";
import { type InteractionName, isGranted } from "./matrix/permissions.ts";
import { isConsumerRole } from "./matrix/roles.ts";
import { type ConsumerReach, refuseBeyondReach } from "./reach/reach.ts";

/**
 * Refuses what the role and the rights of the caller do not grant: MPI-403 with the name of each interaction, and with
 * the entries of a transaction that ask for it.
 */
export function refuseUngranted(caller: Caller, asked: readonly Asked[]): void {
  const refused = asked.filter(({ interaction }) => !isGranted(interaction, caller));
  refuseFor([...Map.groupBy(refused, ({ interaction }) => interaction)].map(notAllowed));
}

/** Whether the caller reaches single records only, so that `refuseOutOfReach` has to be asked. */
export function isConsumer({ role }: Caller): boolean {
  return isConsumerRole(role);
}

/** Refuses a consumer what is not about themselves or the one they represent, or about nobody by name (MPI-052). */
export async function refuseOutOfReach(
  reach: ConsumerReach,
  caller: Caller,
  asked: readonly Asked[],
): Promise<void> {
  const subjects = asked.map((one) => one.subjects());
  if (subjects.some(({ length }) => length === 0)) throw new MpiError("PATIENT_ACCESS_DENIED");
  await refuseBeyondReach(reach, caller, subjects.flat());
}

function notAllowed([interaction, asked]: readonly [InteractionName, readonly Asked[]]): Fault {
  const places = new Set(asked.flatMap(({ place }) => place ?? []));
  const expression = [...places].map((place) => `Bundle.entry[${place}]`);
  return fault("INTERACTION_NOT_ALLOWED", { interaction }, { expression });
}
