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
 * of an address that the patient had already, or nobody could put back what the register did.
 */
export function checkAddressRepetition(
  given: readonly Checked[],
  { residences, others }: Neighbours,
  now: Date,
  report: Report,
): void {
  if (given.length + residences.length < 2) return;
  const official = residences.filter(({ period }) => !isEnded(period, now));
  const earlier: Address[] = [];
  for (const { address, path } of given) {
    if (isEnded(address.period, now)) continue;
    const isOneOf = (addresses: readonly Address[]) => addresses.some((other) => isSame(other, address));
    if (isOneOf(earlier) || (isOneOf(official) && !isOneOf(others))) {
      report("ADDRESS_ALREADY_PRESENT", { addressText: address.text ?? adrId(address) ?? "" }, path);
    }
    earlier.push(address);
  }
}

function isSame(one: Address, other: Address): boolean {
  const [id, otherId] = [adrId(one), adrId(other)];
  if (id !== undefined && otherId !== undefined) return id === otherId;
  const text = comparable(one.text);
  return text !== "" && one.country === other.country && text === comparable(other.text);
}

function comparable(text: string | undefined): string {
  return (text ?? "").normalize("NFC").toLowerCase().replace(/\s+/g, "");
}
