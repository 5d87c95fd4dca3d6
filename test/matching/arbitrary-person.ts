import * as fc from "fast-check";
import type { Person, PersonName } from "../../src/matching/comparison/person.ts";

const word = fc.string({ unit: fc.constantFrom(..."aeiklmnorst"), minLength: 2, maxLength: 9 });
const part = fc.array(word, { minLength: 1, maxLength: 2 });
const personName: fc.Arbitrary<PersonName> = fc.record({
  family: fc.array(part, { maxLength: 1 }),
  given: fc.array(part, { maxLength: 3 }),
});
const day = fc
  .tuple(
    fc.integer({ min: 1930, max: 2020 }),
    fc.integer({ min: 1, max: 12 }),
    fc.integer({ min: 1, max: 28 }),
  )
  .map(([year, ...rest]) => [year, ...rest.map((number) => String(number).padStart(2, "0"))].join("-"));
const few = <T>(values: fc.Arbitrary<T>) => fc.array(values, { maxLength: 2 });

/** People of few words and numbers, so that some agree. */
export const person: fc.Arbitrary<Person> = fc.record({
  names: few(personName),
  birthDate: fc.option(
    fc.oneof(
      day,
      day.map((date) => date.slice(0, 4)),
    ),
    { nil: undefined },
  ),
  gender: fc.constantFrom("male", "female", "unknown", undefined),
  telecoms: few(fc.constantFrom("+3725123456", "+3725123457", "a@b.ee")).map((telecoms) => new Set(telecoms)),
  birthOrder: fc.constantFrom(1, 2, undefined),
  addresses: few(
    fc.record({
      country: fc.constantFrom("EE", "FI"),
      words: few(word).map((words) => new Set(words)),
      cities: few(fc.constantFrom("tartu", "narva")).map((cities) => new Set(cities)),
    }),
  ),
  identifiers: few(
    fc.record({
      country: fc.constantFrom("fin", "lva"),
      type: fc.constantFrom("ni", "ppn"),
      value: fc.constantFrom("1", "12", "123"),
    }),
  ),
});
