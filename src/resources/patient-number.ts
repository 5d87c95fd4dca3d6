const ID = /^[1-9]\d{0,17}$/;

/** The number behind a patient's id; undefined for what cannot be one. */
export function patientNumber(id: string): bigint | undefined {
  return ID.test(id) ? BigInt(id) : undefined;
}
