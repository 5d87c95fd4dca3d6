import type {
  FindAddressesRequest,
  FindAddressesResponse,
} from "#proto/patientindex/registers/v1/address_registry_service_pb.ts";
import type {
  ReadPersonResponse,
  RegisteredPerson,
} from "#proto/patientindex/registers/v1/population_register_service_pb.ts";

/** Whether an answer is about the person who was asked for: what it says of another is neither stored nor shown. */
export function isAboutPerson(
  answer: ReadPersonResponse,
  personalCode: string,
): answer is ReadPersonResponse & { readonly person: RegisteredPerson } {
  return answer.person?.personalCode === personalCode;
}

/**
 * Whether these are addresses, and those of the ids that were asked for. Without id and text an address is none: it
 * would stand in place of what a client wrote; and an adr-id is that of one.
 */
export function areAddressesAsked(
  { addresses }: FindAddressesResponse,
  asked: Partial<Pick<FindAddressesRequest, "adrId" | "adsOid">>,
): boolean {
  if (asked.adrId && addresses.length > 1) return false;
  return addresses.every(
    ({ adrId, adsOid, text }) =>
      adrId.trim() !== "" &&
      text.trim() !== "" &&
      isAsked(adrId, asked.adrId) &&
      isAsked(adsOid, asked.adsOid),
  );
}

function isAsked(id: string, asked = ""): boolean {
  return asked === "" || id.trim() === asked.trim();
}
