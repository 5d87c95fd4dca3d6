import { swapped } from "../comparison/compare-birth-dates.ts";
import type { PersonInBlocks, PersonName } from "../comparison/person.ts";
import { skeletonOf } from "../names/sound.ts";
import { blockKey, commonBlockKey } from "./block-key.ts";

/** Something by which records of one person are brought together to be compared. */
export interface Block {
  readonly key: bigint;
  /** So few share it that it is enough by itself; of others a scan wants two. */
  readonly isNarrow: boolean;
}

/** What the records of a person are looked for by. */
export interface Sought {
  readonly blocks: readonly Block[];
  /** The day (YYYY-MM-DD) about which those were born who share wide blocks alone; undefined when it may be any. */
  readonly bornAbout: string | undefined;
}

/** Of a name so many words make keys. */
const MOST_WORDS = 3;

/** The blocks that a patient's record lies in. */
export function recordBlocks(person: PersonInBlocks): Block[] {
  const { birthDate = "" } = person;
  return distinct([
    ...(birthDate.length === 10 ? [narrow(birthDayKey(birthDate))] : []),
    ...nameBlocks(person),
    ...[...person.telecoms].map((telecom) => narrow(telecomKey(telecom))),
  ]);
}

/** The blocks to look in for the records of a person: those of its own record, and that of a birth date the other way round. */
export function soughtBlocks(person: PersonInBlocks): Block[] {
  const other = swapped(person.birthDate ?? "");
  return distinct([...recordBlocks(person), ...(other === undefined ? [] : [narrow(birthDayKey(other))])]);
}

/** A telephone number or an e-mail address, in the form in which it is compared. */
export function telecomKey(telecom: string): bigint {
  return blockKey("telecom", telecom);
}

/** A birth date that is known to the day. */
export function birthDayKey(date: string): bigint {
  return blockKey("birth-date", date);
}

function narrow(key: bigint): Block {
  return { key, isNarrow: true };
}

/** By sound, so that most typing errors leave them, and in either order, for names in the wrong element. */
function nameBlocks({ names, birthDate }: PersonInBlocks): Block[] {
  return names.flatMap((name) => {
    const [family, given] = [skeletons(name.family), skeletons(name.given)];
    const pairs = family.flatMap((one) =>
      given.map((other) => commonBlockKey("name", ...[one, other].sort())),
    );
    const year = birthDate?.slice(0, 4);
    const years = year === undefined ? [] : family.map((one) => commonBlockKey("year-family", year, one));
    return [...pairs, ...years].map((key) => ({ key, isNarrow: false }));
  });
}

function skeletons(parts: PersonName["family"]): string[] {
  return [...new Set(parts.flat().map(skeletonOf))].slice(0, MOST_WORDS);
}

function distinct(blocks: readonly Block[]): Block[] {
  return [...new Map(blocks.map((block) => [block.key, block])).values()];
}
