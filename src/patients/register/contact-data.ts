import { create } from "@bufbuild/protobuf";
import {
  type RegisteredAddress,
  RegisteredAddressSchema,
} from "#proto/patientindex/registers/v1/registered_address_pb.ts";
import type { Address, ContactPoint } from "#proto/patientindex/v1/datatypes_pb.ts";
import type { Patient } from "#proto/patientindex/v1/patient_pb.ts";
import { isEnded } from "../../content-rules/index.ts";
import { isEstonianPersonalCode } from "../../identifiers/index.ts";
import type { ContactData } from "../../registers/ports.ts";
import { hasNotice } from "../rules/address-notices.ts";
import { isOfficialResidence } from "../rules/addresses.ts";
import { adrId, adsOid } from "../rules/adr-id.ts";

/** Contact data of a patient that the population register takes. */
type OfPatient = Pick<ContactData, "phones" | "emails" | "addresses">;

/**
 * What has not ended of phones, e-mail addresses and additional addresses: of the latter those that the address registry
 * knows and has nothing to say of. What begins later is told with them: on its day nobody would.
 */
export function contactDataOf({ telecom, address }: Patient, now: Date): OfPatient {
  const inUse = telecom.filter(({ use, period }) => use !== "old" && !isEnded(period, now));
  return {
    phones: valuesOf(inUse, "phone"),
    emails: valuesOf(inUse, "email"),
    addresses: address
      .filter((one) => !isOfficialResidence(one) && !hasNotice(one) && adrId(one) !== undefined)
      .filter(({ use, period }) => use !== "old" && !isEnded(period, now))
      .map(registeredAddress),
  };
}

/** Whether a change of a patient is one that the population register is to be told of. */
export function changesContactData(current: Patient, next: Patient, now: Date): boolean {
  if (!next.identifier.some(({ system }) => isEstonianPersonalCode(system))) return false;
  return JSON.stringify(contactDataOf(current, now)) !== JSON.stringify(contactDataOf(next, now));
}

function valuesOf(points: readonly ContactPoint[], system: string): string[] {
  return points.flatMap((point) =>
    point.system === system && point.value !== undefined ? [point.value] : [],
  );
}

function registeredAddress(address: Address): RegisteredAddress {
  return create(RegisteredAddressSchema, {
    adrId: adrId(address) ?? "",
    adsOid: adsOid(address) ?? "",
    text: address.text ?? "",
  });
}
