import type { Address } from "#proto/patientindex/v1/datatypes_pb.ts";
import { isEnded, type Report } from "../../content-rules/index.ts";
import { adrId } from "./adr-id.ts";

interface Checked {
  /** In its stored form. */
  readonly address: Address;
  readonly path: string;
}

/** Addresses beside which those of a body stand. */
interface Neighbours {
  /** The official ones, which are not the client's to give. */
  readonly residences: readonly Address[];
  /** The others that the patient had before. */
  readonly others: readonly Address[];
}

/**
 * A patient has an address once (MPI-049): the same adr-id where both are Estonian and have one, else the same country
 * and the same text but for case and spaces, neither of them ended. To be the same as an official residence is no fault
 * of an address that the patient had already and that had not ended, or nobody could put back what the register did.
 */
export function checkAddressRepetition(
  given: readonly Checked[],
  { residences, others }: Neighbours,
  now: Date,
  report: Report,
): void {
  if (given.length + residences.length < 2) return;
  const isInUse = ({ period }: Address) => !isEnded(period, now);
  const official = knownAddresses(residences.filter(isInUse));
  const before = knownAddresses(others.filter(isInUse));
  const earlier = knownAddresses([]);
  for (const { address, path } of given) {
    if (!isInUse(address)) continue;
    const key = keyOf(address);
    if (isAmong(earlier, key) || (isAmong(official, key) && !isAmong(before, key))) {
      report("ADDRESS_ALREADY_PRESENT", { addressText: address.text ?? key.adrId ?? "" }, path);
    }
    add(earlier, key);
  }
}

/** By what an address is the same as another one. */
interface AddressKey {
  readonly adrId: string | undefined;
  /** Country and text; undefined without a text. */
  readonly text: string | undefined;
}

/** The keys of addresses, so that a long list is not compared address by address. */
interface KnownAddresses {
  readonly adrIds: Set<string>;
  readonly texts: Set<string>;
  /** Of those without an adr-id. */
  readonly bareTexts: Set<string>;
}

function knownAddresses(addresses: readonly Address[]): KnownAddresses {
  const known: KnownAddresses = { adrIds: new Set(), texts: new Set(), bareTexts: new Set() };
  for (const address of addresses) add(known, keyOf(address));
  return known;
}

function add({ adrIds, texts, bareTexts }: KnownAddresses, { adrId, text }: AddressKey): void {
  if (adrId !== undefined) adrIds.add(adrId);
  if (text === undefined) return;
  texts.add(text);
  if (adrId === undefined) bareTexts.add(text);
}

function isAmong({ adrIds, texts, bareTexts }: KnownAddresses, { adrId, text }: AddressKey): boolean {
  if (adrId !== undefined && adrIds.has(adrId)) return true;
  return text !== undefined && (adrId === undefined ? texts : bareTexts).has(text);
}

function keyOf(address: Address): AddressKey {
  const text = comparable(address.text);
  return { adrId: adrId(address), text: text === "" ? undefined : `${address.country ?? ""}|${text}` };
}

function comparable(text: string | undefined): string {
  return (text ?? "").normalize("NFC").toLowerCase().replace(/\s+/g, "");
}
