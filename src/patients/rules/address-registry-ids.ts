import type { Address } from "#proto/patientindex/v1/datatypes_pb.ts";

const ADR_ID = "https://fhir.ee/base/StructureDefinition/ee-ads-adr-id";
const ADS_OID = "https://fhir.ee/base/StructureDefinition/ee-ads-oid";

/** The id of an address in the address registry, where the client or the registry gave one. */
export function adrId(address: Address): string | undefined {
  return codeOf(address, ADR_ID);
}

/** The id of the address object in the address registry, where one is given. */
export function adsOid(address: Address): string | undefined {
  return codeOf(address, ADS_OID);
}

function codeOf({ extension }: Address, url: string): string | undefined {
  const value = extension.find((one) => one.url === url)?.value;
  return value?.case === "valueCoding" ? value.value.code : undefined;
}
