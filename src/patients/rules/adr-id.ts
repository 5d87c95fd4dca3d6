import type { Address } from "#proto/patientindex/v1/datatypes_pb.ts";

const BASE = "https://fhir.ee/base/StructureDefinition/";

/** The id of an address in the address registry, where the client or the registry gave one. */
export function adrId(address: Address): string | undefined {
  return coded(address, "ee-ads-adr-id");
}

/** The id of an address object in the address registry; parallel addresses share it. */
export function adsOid(address: Address): string | undefined {
  return coded(address, "ee-ads-oid");
}

function coded({ extension }: Address, name: string): string | undefined {
  const value = extension.find(({ url }) => url === BASE + name)?.value;
  return value?.case === "valueCoding" ? value.value.code : undefined;
}
