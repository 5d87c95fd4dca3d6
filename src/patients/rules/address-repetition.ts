import type { Address } from "#proto/patientindex/v1/datatypes_pb.ts";
import { isEnded, type Report } from "../../content-rules/index.ts";
import { adrId } from "./address-registry-ids.ts";

interface Checked {
  /** In its stored form. */
  readonly address: Address;
  readonly path: string;
}

/**
 * A patient has an address once (MPI-049): the same adr-id, or else the same country and the same text but for case
 * and spaces, neither of them ended. `residences` are the official ones; standing beside one of them is no fault of
 * one of the `others` that the patient had already, or nobody could put back what the register did.
 */
export function checkAddressRepetition(
  given: readonly Checked[],
  { residences, others }: { readonly residences: readonly Address[]; readonly others: readonly Address[] },
  now: Date,
  report: Report,
): void {
  if (given.length + residences.length < 2) return;
  const earlier = residences.filter(({ period }) => !isEnded(period, now));
  const known = new Set<Address>(earlier);
  for (const { address, path } of given) {
    if (isEnded(address.period, now)) continue;
    const same = earlier.find((other) => isSame(other, address));
    if (same && !(known.has(same) && others.some((other) => isSame(other, address)))) {
      report("ADDRESS_ALREADY_PRESENT", { addressText: address.text ?? adrId(address) ?? "" }, path);
    }
    earlier.push(address);
  }
}

function isSame(one: Address, other: Address): boolean {
  const id = adrId(one);
  if (id !== undefined && id === adrId(other)) return true;
  const text = comparable(one.text);
  return text !== "" && one.country === other.country && text === comparable(other.text);
}

function comparable(text: string | undefined): string {
  return (text ?? "").normalize("NFC").toLowerCase().replace(/\s+/g, "");
}
