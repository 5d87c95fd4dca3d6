import { readFile } from "node:fs/promises";
import { isPersonalCode } from "../identifiers/index.ts";

/** The people file: everybody and everything that the registers of the sandbox know. docs/sandbox.md describes it. */
export interface PeopleFile {
  readonly people: readonly SandboxPerson[];
  readonly addresses: readonly SandboxAddress[];
}

/** The first and the last day of something, YYYY-MM-DD. */
export interface Span {
  readonly start?: string;
  readonly end?: string;
}

export interface SandboxOrganization {
  readonly registryCode: string;
  readonly name: string;
}

export interface SandboxPerson {
  /** What the person is there for. */
  readonly note?: string;
  readonly personalCode: string;
  /** The personal code that took the place of this one. */
  readonly successorCode?: string;
  readonly givenNames: readonly string[];
  readonly familyName: string;
  readonly sex: "male" | "female";
  readonly birthDate: string;
  readonly deathDate?: string;
  /** adrId of the official residence. */
  readonly residence?: string;
  readonly phone?: string;
  readonly email?: string;
  readonly education?: { readonly code: string; readonly display: string };
  readonly capacity?: readonly ({ readonly code: string } & Span)[];
  /** Who is the guardian of this person: somebody by personal code, or an organisation. */
  readonly guardians?: readonly ({
    readonly personalCode?: string;
    readonly organization?: SandboxOrganization;
  } & Span)[];
  /** What others are to this person. */
  readonly relations?: readonly { readonly type: string; readonly personalCode: string }[];
  /** Who has custody of this person. */
  readonly custody?: readonly ({ readonly type: string; readonly holder: string } & Span)[];
  readonly disability?: readonly ({ readonly degree: string } & Span)[];
  readonly workCapacity?: readonly ({ readonly code: string } & Span)[];
  readonly jobs?: readonly {
    readonly employer: SandboxOrganization;
    readonly occupation: { readonly code: string; readonly display: string };
    readonly rate?: string;
  }[];
}

/** An address with its components; the flags say what there is to say of its quality. */
export interface SandboxAddress {
  readonly note?: string;
  readonly adrId: string;
  readonly adsOid: string;
  readonly ehak?: string;
  readonly text: string;
  readonly state?: string;
  readonly district?: string;
  readonly city?: string;
  readonly censusTract?: string;
  readonly streetName?: string;
  readonly streetNameBase?: string;
  readonly houseNumber?: string;
  readonly additionalLocator?: string;
  readonly postalCode?: string;
  readonly objectType?: string;
  readonly hasSeveralBuildingParts?: boolean;
  readonly hasUnMark?: boolean;
  readonly isTechnical?: boolean;
}

/** A people file that cannot be used: every reason, a line each. */
class PeopleFileError extends Error {
  override readonly name = "PeopleFileError";
}

/** Reads a people file and checks that its people and addresses are there and fit together. */
export async function readPeopleFile(path: string): Promise<PeopleFile> {
  const file = parse(path, await textOf(path));
  const wrong = faultsOf(file);
  if (wrong.length > 0) throw new PeopleFileError(`${path} cannot be used:\n${wrong.join("\n")}`);
  return file;
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    throw new PeopleFileError(`${path} (MPI_SANDBOX_DATA) cannot be read.`, { cause });
  }
}

function parse(path: string, text: string): PeopleFile {
  try {
    const { people, addresses } = JSON.parse(text) as Partial<PeopleFile>;
    if (Array.isArray(people) && Array.isArray(addresses)) return { people, addresses };
  } catch (cause) {
    throw new PeopleFileError(`${path} is no JSON.`, { cause });
  }
  throw new PeopleFileError(`${path} has no lists "people" and "addresses".`);
}

function faultsOf({ people, addresses }: PeopleFile): string[] {
  const codes = new Set(people.map(({ personalCode }) => personalCode));
  const adrIds = new Set(addresses.map(({ adrId }) => adrId));
  return [
    ...(codes.size < people.length ? ["Two people have the same personalCode."] : []),
    ...(adrIds.size < addresses.length ? ["Two addresses have the same adrId."] : []),
    ...people.flatMap((person, index) => faultsOfPerson(person, `people[${index}]`, codes, adrIds)),
    ...circlesOf(people),
    ...addresses.flatMap(({ adrId, adsOid, text }, index) =>
      adrId && adsOid && text ? [] : [`addresses[${index}] needs adrId, adsOid and text.`],
    ),
  ];
}

function faultsOfPerson(
  person: SandboxPerson,
  path: string,
  codes: ReadonlySet<string>,
  adrIds: ReadonlySet<string>,
): string[] {
  const { personalCode, familyName, givenNames, birthDate, residence } = person;
  const named = [
    ...(person.relations ?? []).map((relation) => relation.personalCode),
    ...(person.custody ?? []).map(({ holder }) => holder),
    ...(person.guardians ?? []).flatMap((guardian) => guardian.personalCode ?? []),
    ...(person.successorCode === undefined ? [] : [person.successorCode]),
  ];
  return [
    ...(isPersonalCode(personalCode ?? "") ? [] : [`${path}.personalCode is no personal code.`]),
    ...(familyName && Array.isArray(givenNames) && birthDate
      ? []
      : [`${path} needs givenNames, familyName and birthDate.`]),
    ...(residence === undefined || adrIds.has(residence)
      ? []
      : [`${path}.residence is no adrId of an address.`]),
    ...(named.every((code) => codes.has(code)) ? [] : [`${path} names somebody who is not in the file.`]),
  ];
}

/** A code that leads back to itself by its successors. */
function circlesOf(people: readonly SandboxPerson[]): string[] {
  const successors = new Map(people.map(({ personalCode, successorCode }) => [personalCode, successorCode]));
  return people.flatMap(({ personalCode }, index) => {
    const passed = new Set<string>();
    let code = successors.get(personalCode);
    while (code !== undefined && !passed.has(code)) {
      passed.add(code);
      code = successors.get(code);
    }
    return passed.has(personalCode) ? [`people[${index}].successorCode leads back to it.`] : [];
  });
}
