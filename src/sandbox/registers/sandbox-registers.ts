import type { PeopleFile, SandboxAddress, SandboxPerson } from "../people-file.ts";

/** What the registers know, and what they were sent. */
export interface SandboxRegisters {
  readonly people: ReadonlyMap<string, SandboxPerson>;
  readonly addresses: readonly SandboxAddress[];
  /** What the population register was sent, in the order in which it came. */
  readonly contactData: unknown[];
  /** What WM was told, by notification id: the first of each. */
  readonly linkages: Map<string, unknown>;
  /** Ids of notifications that were taken back, be it before they came. */
  readonly retractions: Set<string>;
}

export function sandboxRegisters({ people, addresses }: PeopleFile): SandboxRegisters {
  return {
    people: new Map(people.map((person) => [person.personalCode, person])),
    addresses,
    contactData: [],
    linkages: new Map(),
    retractions: new Set(),
  };
}
