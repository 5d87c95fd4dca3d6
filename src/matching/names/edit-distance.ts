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
  let [beforeLast, last]: [number[], number[]] = [[], Array.from({ length: other.length + 1 }, (_, n) => n)];
  for (let row = 1; row <= one.length; row++) {
    const current = nextRow(one, other, row, last, beforeLast);
    if (Math.min(...current) > limit && Math.min(...last) > limit) return limit + 1;
    [beforeLast, last] = [last, current];
  }
  return Math.min(last[other.length] ?? 0, limit + 1);
}

/** Distances of the first `row` letters of one text from every beginning of the other. */
function nextRow(one: string, other: string, row: number, last: number[], beforeLast: number[]): number[] {
  const current = [row];
  for (let column = 1; column <= other.length; column++) {
    const isSame = one[row - 1] === other[column - 1];
    const isSwapped =
      row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
    current.push(
      Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (beforeLast[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      ),
    );
  }
  return current;
}
