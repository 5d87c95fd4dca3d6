import { fault, refuseFor } from "../../src/errors/index.ts";

/** Faults told of one patch. */
const MOST_FAULTS = 1000;

/** The operations as they were read; refused with all those that are none (PATCH_MALFORMED). */
export function knownOperations<Operation>(
  read: readonly (Operation | undefined)[],
  expressionOf: (index: number) => string,
): Operation[] {
  const wrong = read.flatMap((operation, index) => (operation === undefined ? [index] : []));
  refuseFor(
    wrong
      .slice(0, MOST_FAULTS)
      .map((index) =>
        fault("PATCH_MALFORMED", { number: String(index + 1) }, { expression: [expressionOf(index)] }),
      ),
  );
  return read.filter((operation) => operation !== undefined);
}
