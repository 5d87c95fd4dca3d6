import { create } from "@bufbuild/protobuf";
import type { RegisteredAddress } from "#proto/patientindex/registers/v1/registered_address_pb.ts";
import {
  type Address,
  AddressSchema,
  type Element,
  ElementSchema,
  type Extension,
  ExtensionSchema,
} from "#proto/patientindex/v1/datatypes_pb.ts";
import { isSaid } from "../../content-rules/index.ts";
import { OFFICIAL } from "../rules/addresses.ts";

const BASE = "https://fhir.ee/base/";
const PART = "http://hl7.org/fhir/StructureDefinition/iso21090-ADXP-";

/** The elements of an address that a registry rules on: they stand in place of what was given. */
export type AddressComponents = Pick<
  Address,
  "text" | "line" | "lineElement" | "city" | "district" | "state" | "postalCode" | "country"
>;

/** The parts of a line and the component that each is, in FHIR's spelling. */
const PARTS = {
  censusTract: "censusTract",
  streetName: "streetName",
  streetNameBase: "streetNameBase",
  houseNumber: "houseNumber",
  additionalLocator: "additionalLocator",
} as const satisfies Partial<Record<keyof RegisteredAddress, string>>;

/** Components of an address of the registry (spec rules.md, "Addresses": levels 1 to 8). */
export function addressComponents(registered: RegisteredAddress): AddressComponents {
  const { text, state, district, city, postalCode } = registered;
  const line = lineOf(registered);
  return {
    text: given(text),
    line: line === "" ? [] : [line],
    lineElement: line === "" ? [] : [partsOf(registered)],
    city: given(city),
    district: given(district),
    state: given(state),
    postalCode: given(postalCode),
    country: "EE",
  };
}

/** What the registry calls the address: adr-id, ads-oid, EHAK. */
export function registryExtensions({ adrId, adsOid, ehak }: RegisteredAddress): Extension[] {
  return [
    ...coded("ee-ads-adr-id", "ads-adr-id", adrId),
    ...coded("ee-ads-oid", "ads-oid", adsOid),
    ...coded("ee-ehak", "ehak", ehak),
  ];
}

/** The official residence, as only the population register writes it. */
export function residenceOf(registered: RegisteredAddress): Address {
  const official = create(ExtensionSchema, { url: OFFICIAL, value: { case: "valueBoolean", value: true } });
  return create(AddressSchema, {
    use: "home",
    type: "both",
    ...addressComponents(registered),
    extension: [official, ...registryExtensions(registered)],
  });
}

/** Urls of the extensions that the registry rules on. */
export const registryExtensionUrls: ReadonlySet<string> = new Set(
  ["ee-ads-adr-id", "ee-ads-oid", "ee-ehak"].map((name) => `${BASE}StructureDefinition/${name}`),
);

function lineOf({
  censusTract,
  streetName,
  streetNameBase,
  houseNumber,
  additionalLocator,
}: RegisteredAddress): string {
  const flat =
    isSaid(houseNumber) && isSaid(additionalLocator) ? `${houseNumber}-${additionalLocator}` : houseNumber;
  return [censusTract, streetName, streetNameBase, flat].filter(isSaid).join(" ");
}

function partsOf(registered: RegisteredAddress): Element {
  const extension = Object.entries(PARTS).flatMap(([component, part]) => {
    const value = registered[component as keyof typeof PARTS];
    return isSaid(value)
      ? [create(ExtensionSchema, { url: PART + part, value: { case: "valueString", value } })]
      : [];
  });
  return create(ElementSchema, { extension });
}

function coded(name: string, system: string, code: string): Extension[] {
  if (code === "") return [];
  const value = { system: `${BASE}CodeSystem/${system}`, code };
  return [
    create(ExtensionSchema, {
      url: `${BASE}StructureDefinition/${name}`,
      value: { case: "valueCoding", value },
    }),
  ];
}

function given(text: string): string | undefined {
  return isSaid(text) ? text : undefined;
}
