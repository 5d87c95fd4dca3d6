/** Which dependent: the patient that it lies with, and its number there, from 1. No two types share a number. */
export interface DependentId {
  readonly patientId: bigint;
  readonly n: number;
}

/** The public id has room for four digits of it. */
export const MAXIMUM_NUMBER = 9999;

const NUMBERS = BigInt(MAXIMUM_NUMBER + 1);
const PUBLIC_ID = /^[1-9]\d{4,17}$/;

/** The public id as a number: the patient's id followed by n in four digits. */
export function publicNumber({ patientId, n }: DependentId): bigint {
  return patientId * NUMBERS + BigInt(n);
}

/** The dependent that a public id names; undefined for what names none. */
export function parseDependentId(id: string): DependentId | undefined {
  if (!PUBLIC_ID.test(id)) return undefined;
  const number = BigInt(id);
  const n = Number(number % NUMBERS);
  return n === 0 ? undefined : { patientId: number / NUMBERS, n };
}
