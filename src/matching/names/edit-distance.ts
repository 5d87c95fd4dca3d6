/** Longer than any word of a name and any national code; comparing takes the square of the length. */
const LONGEST = 100;

/**
 * How many typing errors lie between two texts, none, one or more up to `limit`; `limit` + 1 for whatever is more.
 * An error is a letter too many, one too few, a wrong one, or two neighbours that changed places (Damerau-Levenshtein,
 * each letter changed once at most). Two texts longer than any name or number that are not the same are far apart.
 */
export function editDistance(one: string, other: string, limit: number): number {
  if (one === other) return 0;
  if (Math.abs(one.length - other.length) > limit || one.length > LONGEST) return limit + 1;
  const start = sameAtStart(one, other);
  const end = sameAtEnd(one, other, start);
  return distanceBetween(one.slice(start, one.length - end), other.slice(start, other.length - end), limit);
}

/** What is the same at the start or at the end of both has no errors. */
function sameAtStart(one: string, other: string): number {
  let same = 0;
  while (same < one.length && one.charCodeAt(same) === other.charCodeAt(same)) same++;
  return same;
}

function sameAtEnd(one: string, other: string, start: number): number {
  const most = Math.min(one.length, other.length) - start;
  let same = 0;
  while (same < most && one.charCodeAt(one.length - 1 - same) === other.charCodeAt(other.length - 1 - same))
    same++;
  return same;
}

function distanceBetween(one: string, other: string, limit: number): number {
  let beforeLast: Row = { distances: [], least: 0 };
  let last: Row = { distances: Array.from({ length: other.length + 1 }, (_, n) => n), least: 0 };
  for (let row = 1; row <= one.length; row++) {
    const current = nextRow(one, other, row, last.distances, beforeLast.distances);
    if (current.least > limit && last.least > limit) return limit + 1;
    [beforeLast, last] = [last, current];
  }
  return Math.min(last.distances[other.length] ?? 0, limit + 1);
}

interface Row {
  readonly distances: readonly number[];
  readonly least: number;
}

/** Distances of the first `row` letters of one text from every beginning of the other. */
function nextRow(
  one: string,
  other: string,
  row: number,
  last: readonly number[],
  beforeLast: readonly number[],
): Row {
  const current = [row];
  let [before, least] = [row, row];
  const [letter, letterBefore] = [one.charCodeAt(row - 1), one.charCodeAt(row - 2)];
  for (let column = 1; column <= other.length; column++) {
    const otherLetter = other.charCodeAt(column - 1);
    let distance = Math.min(
      (last[column] ?? 0) + 1,
      before + 1,
      (last[column - 1] ?? 0) + (letter === otherLetter ? 0 : 1),
    );
    const isSwapped =
      row > 1 && column > 1 && letterBefore === otherLetter && letter === other.charCodeAt(column - 2);
    if (isSwapped) distance = Math.min(distance, (beforeLast[column - 2] ?? 0) + 1);
    current.push(distance);
    before = distance;
    least = Math.min(least, distance);
  }
  return { distances: current, least };
}
