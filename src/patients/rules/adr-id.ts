import type { Address } from "#proto/patientindex/v1/datatypes_pb.ts";

const ADR_ID = "https://fhir.ee/base/StructureDefinition/ee-ads-adr-id";

/** The id of an address in the address registry, where the client or the registry gave one. */
export function adrId({ extension }: Address): string | undefined {
  const value = extension.find(({ url }) => url === ADR_ID)?.value;
  return value?.case === "valueCoding" ? value.value.code : undefined;
}
