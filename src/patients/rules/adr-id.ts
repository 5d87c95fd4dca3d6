import type { Address } from "#proto/patientindex/v1/datatypes_pb.ts";

const BASE = "https://fhir.ee/base/StructureDefinition/";
const ESTONIA = "EE";

/** Whether it is an address, in its stored form, that the address registry is to know. */
export function isEstonian({ country }: Address): boolean {
  return country === ESTONIA;
}

/**
 * The id of an Estonian address in the address registry, where the client or the registry gave one. Ids that stayed on
 * an address when it was edited to one abroad say nothing of it.
 */
export function adrId(address: Address): string | undefined {
  return coded(address, "ee-ads-adr-id");
}

/** The id of the object of an Estonian address in the address registry; parallel addresses share it. */
export function adsOid(address: Address): string | undefined {
  return coded(address, "ee-ads-oid");
}

function coded(address: Address, name: string): string | undefined {
  if (!isEstonian(address)) return undefined;
  const value = address.extension.find(({ url }) => url === BASE + name)?.value;
  return value?.case === "valueCoding" ? value.value.code : undefined;
}
