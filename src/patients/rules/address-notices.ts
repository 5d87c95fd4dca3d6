import { create } from "@bufbuild/protobuf";
import type { RegisteredAddress } from "#proto/patientindex/registers/v1/registered_address_pb.ts";
import { type Address, type Extension, ExtensionSchema } from "#proto/patientindex/v1/datatypes_pb.ts";
import { type CatalogueVersion, present } from "../../errors/index.ts";

const NOTICE = "https://fhir.ee/base/StructureDefinition/ee-address-notice";

const NOTICES = [
  "ADDRESS_OF_SEVERAL_BUILDING_PARTS",
  "ADDRESS_LACKS_LEVEL",
  "ADDRESS_WITH_ADS_OID_LACKS_LEVEL",
  "ADDRESS_LACKS_UN_MARK",
  "ADDRESS_TECHNICAL",
  "ADDRESS_OF_TYPE_MR",
] as const;
type NoticeMeaning = (typeof NOTICES)[number];

/** What there is to say of the quality of an address (MPI-081 to 083, 086 to 088), in the order of the codes. */
export function noticesOf(address: RegisteredAddress, byAdsOid: boolean): NoticeMeaning[] {
  const lacksLevel = byAdsOid ? "ADDRESS_WITH_ADS_OID_LACKS_LEVEL" : "ADDRESS_LACKS_LEVEL";
  const found: readonly (readonly [boolean, NoticeMeaning])[] = [
    [address.hasSeveralBuildingParts, "ADDRESS_OF_SEVERAL_BUILDING_PARTS"],
    // A land unit has a name or a number; an address with neither leads to no place.
    [address.streetNameBase === "" && address.houseNumber === "", lacksLevel],
    [!address.hasUnMark, "ADDRESS_LACKS_UN_MARK"],
    [address.isTechnical, "ADDRESS_TECHNICAL"],
    [address.objectType === "MR", "ADDRESS_OF_TYPE_MR"],
  ];
  return found.flatMap(([holds, meaning]) => (holds ? [meaning] : []));
}

/** A notice as it is stored: by its meaning, since versions have codes of their own for it. */
export function noticeExtension(meaning: NoticeMeaning, indexSystem: string): Extension {
  const value = { system: indexSystem, code: meaning };
  return create(ExtensionSchema, { url: NOTICE, value: { case: "valueCoding", value } });
}

export function isNotice({ url }: Extension): boolean {
  return url === NOTICE;
}

export function hasNotice({ extension }: Address): boolean {
  return extension.some(isNotice);
}

/** A stored address with the codes of a version in its notices. */
export function shownNotices(stored: Address, version: CatalogueVersion): Address {
  if (!hasNotice(stored)) return stored;
  return { ...stored, extension: stored.extension.map((one) => (isNotice(one) ? shown(one, version) : one)) };
}

function shown(notice: Extension, version: CatalogueVersion): Extension {
  if (notice.value.case !== "valueCoding") return notice;
  const { value } = notice.value;
  const meaning = NOTICES.find((one) => one === value.code);
  if (!meaning) return notice;
  const { code } = present(meaning, version).wording;
  return { ...notice, value: { case: "valueCoding", value: { ...value, code } } };
}
