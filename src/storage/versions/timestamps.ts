/** The instant of a write: now, but later than every version that it follows (rows are locked by the caller). */
export function laterThan(versions: readonly { readonly updatedAt: Date }[], now: Date): Date {
  return new Date(Math.max(now.getTime(), ...versions.map(({ updatedAt }) => updatedAt.getTime() + 1)));
}

/** Instants as texts that PostgreSQL reads as timestamp(3) in UTC, for arrays of them. */
export function timestampTexts(instants: readonly Date[]): string[] {
  return instants.map((instant) => instant.toISOString().slice(0, -1));
}
