import type { Address, Extension } from "#proto/patientindex/v1/datatypes_pb.ts";
import type { Report } from "../../content-rules/index.ts";

const BASE = "https://fhir.ee/base/StructureDefinition/";
const ESTONIA = "EE";
const ADR_ID = "ee-ads-adr-id";
const ADS_OID = "ee-ads-oid";

/** By the name of each extension that holds an id of the address registry: the system of its coding. */
const SYSTEMS: Readonly<Record<string, string>> = {
  [ADR_ID]: "https://fhir.ee/base/CodeSystem/ads-adr-id",
  [ADS_OID]: "https://fhir.ee/base/CodeSystem/ads-oid",
};

/** Whether it is an address, in its stored form, that the address registry is to know. */
export function isEstonian({ country }: Address): boolean {
  return country === ESTONIA;
}

/**
 * The id of an Estonian address in the address registry, where the client or the registry gave one. Ids that stayed on
 * an address when it was edited to one abroad say nothing of it.
 */
export function adrId(address: Address): string | undefined {
  return coded(address, ADR_ID);
}

/** The id of the object of an Estonian address in the address registry; parallel addresses share it. */
export function adsOid(address: Address): string | undefined {
  return coded(address, ADS_OID);
}

function coded(address: Address, name: string): string | undefined {
  if (!isEstonian(address)) return undefined;
  const value = address.extension.find(({ url }) => url === BASE + name)?.value;
  return value?.case === "valueCoding" ? value.value.code : undefined;
}

/**
 * What is said of an id of the address registry decides which address is stored, whatever else the body says of it: so
 * each is said once, as a coding, and of no other system.
 */
export function checkRegistryIds(address: Address, path: string, report: Report): void {
  if (!isEstonian(address)) return;
  for (const [name, system] of Object.entries(SYSTEMS)) {
    const [first, ...others] = [...address.extension.entries()].filter(([, { url }]) => url === BASE + name);
    if (first) checkCoding(first[1], system, `${path}.extension[${first[0]}]`, report);
    for (const [index] of others) {
      const element = `${path}.extension[${index}]`;
      report("ELEMENT_REPEATED_TOO_OFTEN", { element: `${element} (${name})`, max: "1" }, element);
    }
  }
}

function checkCoding({ value }: Extension, system: string, path: string, report: Report): void {
  if (value.case === undefined) return;
  if (value.case !== "valueCoding") {
    report("ELEMENT_MISSING", { element: `${path}.valueCoding` }, `${path}.value`);
  } else if (value.value.system !== undefined && value.value.system !== system) {
    const element = `${path}.value.system`;
    report("VALUE_NOT_ALLOWED", { element, allowed: system }, element);
  }
}
