import { equals } from "@bufbuild/protobuf";
import type { RegisteredAddress } from "#proto/patientindex/registers/v1/registered_address_pb.ts";
import { type Address, AddressSchema } from "#proto/patientindex/v1/datatypes_pb.ts";
import type { Patient } from "#proto/patientindex/v1/patient_pb.ts";
import { fewAtOnce } from "../../concurrency/few-at-once.ts";
import { collectFaults } from "../../content-rules/index.ts";
import { type ErrorIssue, fault, refuseFor } from "../../errors/index.ts";
import {
  type AddressAsked,
  type AddressRegistry,
  failingAs,
  RegisterFailure,
} from "../../registers/ports.ts";
import { isNotice, noticeExtension, noticesOf } from "../rules/address-notices.ts";
import { checkAddressRepetition } from "../rules/address-repetition.ts";
import { isOfficialResidence } from "../rules/addresses.ts";
import { adrId, adsOid, isEstonian } from "../rules/adr-id.ts";
import { askedOnce } from "./asked-once.ts";
import { addressComponents, registryExtensions, registryExtensionUrls } from "./registered-address.ts";

/** What addresses are resolved with. */
export interface AddressResolution {
  readonly registry: AddressRegistry;
  /** The index's own URI, the system of notices. */
  readonly indexSystem: string;
  readonly now: () => Date;
}

type Resolved = { readonly address: Address } | { readonly issues: readonly ErrorIssue[] };

const SHORTEST_TEXT = 3;
/** So many addresses of one patient are asked for at a time. */
const AT_ONCE = 4;

/**
 * A patient that the rules took, with its Estonian addresses resolved (spec rules.md, "Addresses"): what the registry
 * says stands in place of what was given. Those that `current` has keep what was resolved before, also when they are
 * used otherwise or have ended since. `given` is the patient as it came, for the places of faults.
 */
export async function resolveAddresses(
  resolution: AddressResolution,
  accepted: Patient,
  given: Patient,
  current: readonly Address[] = [],
): Promise<Patient> {
  const residences = accepted.address.filter(isOfficialResidence);
  const others = accepted.address.filter((address) => !isOfficialResidence(address));
  if (!others.some(isEstonian)) {
    return residences.length === 0 ? accepted : { ...accepted, address: [...residences, ...others] };
  }
  const paths = given.address.flatMap((address, index) =>
    isOfficialResidence(address) ? [] : [`Patient.address[${index}]`],
  );
  const placed = others.map((address, index) => ({ address, path: paths[index] ?? "Patient.address" }));
  const resolved = await askedOnce(() =>
    fewAtOnce(placed, AT_ONCE, async ({ address, path }): Promise<Resolved> => {
      if (!isEstonian(address)) return { address };
      const before =
        current.find((one) => isSame(one, address)) ??
        current.find((one) => isSame(one, usedAs(address, one)));
      return before ? { address: usedAs(before, address) } : await resolve(resolution, address, path);
    }),
  );
  refuseFor(resolved.flatMap((one) => ("issues" in one ? one.issues : [])));
  const addresses = resolved.flatMap((one) => ("address" in one ? [one.address] : []));
  // Two spellings may have turned out to be one address (MPI-049).
  const { report, faults } = collectFaults();
  const checked = addresses.map((address, index) => ({ address, path: paths[index] ?? "Patient.address" }));
  const before = current.filter((address) => !isOfficialResidence(address));
  checkAddressRepetition(checked, { residences, others: before }, resolution.now(), report);
  refuseFor(faults);
  return { ...accepted, address: [...residences, ...addresses] };
}

/** An address with the use, type and period of another one: of these the registry knows nothing. */
function usedAs(address: Address, { use, useElement, type, typeElement, period }: Address): Address {
  return { ...address, use, useElement, type, typeElement, period };
}

/** Whether it is, but for the notices, what was resolved before. */
function isSame(before: Address, address: Address): boolean {
  if (before.text !== address.text || isOfficialResidence(before)) return false;
  const bare = { ...before, extension: before.extension.filter((one) => !isNotice(one)) };
  return equals(AddressSchema, bare, address);
}

async function resolve(
  { registry, indexSystem }: AddressResolution,
  address: Address,
  path: string,
): Promise<Resolved> {
  const asked = askedOf(address);
  const expression = [path];
  if ("text" in asked && (asked.text ?? "").trim().length < SHORTEST_TEXT) {
    return { issues: [fault("ADDRESS_TEXT_NOT_SEARCHABLE", { text: asked.text ?? "" }, { expression })] };
  }
  const found = await failingAs(["ADS_INTEGRATION_FAILED"], () => find(registry, asked));
  if ("absence" in found) return { issues: [notFound(asked, expression), ...found.absence] };
  const [one, another] = found.addresses;
  if (!one) return { issues: [notFound(asked, expression)] };
  if (another) return { issues: [ambiguous(asked, expression)] };
  return { address: resolvedAddress(address, one, asked.adsOid !== undefined, indexSystem) };
}

/** By the ids that were given, else by the text. */
function askedOf(address: Address): AddressAsked {
  const [adr, ads] = [adrId(address), adsOid(address)];
  if (adr === undefined && ads === undefined) return { text: address.text ?? "" };
  return { ...(adr !== undefined && { adrId: adr }), ...(ads !== undefined && { adsOid: ads }) };
}

type Found =
  | { readonly addresses: readonly RegisteredAddress[] }
  | { readonly absence: readonly ErrorIssue[] };

/** An adr-id that does not exist is an answer, whatever the adapter calls it. */
async function find(registry: AddressRegistry, asked: AddressAsked): Promise<Found> {
  try {
    return await registry.findAddresses(asked);
  } catch (error) {
    if (error instanceof RegisterFailure && error.issues.some(isAbsence)) {
      return { absence: asked.adsOid === undefined ? error.issues : [] };
    }
    throw error;
  }
}

function isAbsence(issue: ErrorIssue): boolean {
  return "code" in issue ? issue.code === "XR_ADS-404" : issue.meaning === "XROAD_ADS_ADDRESS_NOT_FOUND";
}

function notFound({ adrId: adr, adsOid: ads, text = "" }: AddressAsked, expression: string[]): ErrorIssue {
  if (adr !== undefined && ads !== undefined) {
    return fault("ADS_OID_AND_ADR_ID_NOT_FOUND", { "adr-id": adr, "ads-oid": ads }, { expression });
  }
  if (adr !== undefined) return fault("ADR_ID_NOT_FOUND", { "adr-id": adr }, { expression });
  if (ads !== undefined) return fault("ADS_OID_NOT_FOUND", { "ads-oid": ads }, { expression });
  return fault("ADDRESS_TEXT_NOT_FOUND", { text }, { expression });
}

function ambiguous({ adsOid: ads, text = "" }: AddressAsked, expression: string[]): ErrorIssue {
  return ads === undefined
    ? fault("ADDRESS_TEXT_AMBIGUOUS", { text }, { expression })
    : fault("ADS_OID_AMBIGUOUS", { "ads-oid": ads }, { expression });
}

function resolvedAddress(
  given: Address,
  registered: RegisteredAddress,
  byAdsOid: boolean,
  indexSystem: string,
): Address {
  const notices = noticesOf(registered, byAdsOid).map((meaning) => noticeExtension(meaning, indexSystem));
  const others = given.extension.filter(({ url = "" }) => !registryExtensionUrls.has(url));
  return {
    ...given,
    ...addressComponents(registered),
    extension: [...others, ...registryExtensions(registered), ...notices],
  };
}
