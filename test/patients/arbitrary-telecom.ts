import fc from "fast-check";

const digits = (count: number) => fc.stringMatching(new RegExp(`^\\d{${count}}$`));

/** An Estonian number without its country code, made from the numbering plan and not by a pattern of the rules. */
export const estonianNumber: fc.Arbitrary<string> = fc.oneof(
  fc
    .tuple(
      fc.constantFrom(...["32", "33", "35", "38", "39", "88"], ...range(60, 69), ...range(71, 79)),
      digits(5),
    )
    .map(([area, rest]) => area + rest),
  fc.tuple(fc.constantFrom(6, 7).chain(digits)).map(([rest]) => `5${rest}`),
);

/** A number of another country, with `+` and no spaces. */
export const foreignNumber: fc.Arbitrary<string> = fc
  .tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 14 }).chain(digits))
  .map(([first, rest]) => `+${first}${rest}`)
  .filter((number) => !number.startsWith("+372"));

/** A phone number in its stored form. */
export const phone: fc.Arbitrary<string> = fc.oneof(
  estonianNumber.map((number) => `+372${number}`),
  foreignNumber,
);

const localPart = fc
  .array(fc.stringMatching(/^[A-Za-z0-9_+-]{1,12}$/), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join("."));
const domain = fc
  .tuple(
    fc.array(fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,8}[a-z0-9])?$/), { minLength: 1, maxLength: 3 }),
    fc.stringMatching(/^[A-Za-z]{2,10}$/),
  )
  .map(([labels, end]) => [...labels, end].join("."));

/** An e-mail address that the rules accept. */
export const email: fc.Arbitrary<string> = fc.tuple(localPart, domain).map((parts) => parts.join("@"));

/** Phones and e-mail addresses, good ones and such as only look like one. */
export const arbitraryTelecom: fc.Arbitrary<{ readonly system: string; readonly value: string }> = fc.oneof(
  fc
    .oneof(phone, estonianNumber, fc.stringMatching(/^(\+372|00372|\+|00)?[35678][0-9 ]{3,9}$/), fc.string())
    .filter((value) => !/[^\S ]/.test(value))
    .map((value) => ({ system: "phone", value })),
  fc
    .oneof(email, fc.stringMatching(/^[a-z.+_-]{1,66}@[a-z.-]{1,8}\.[a-z0-9]{1,3}$/), fc.string())
    .map((value) => ({ system: "email", value })),
);

function range(from: number, to: number): string[] {
  return Array.from({ length: to - from + 1 }, (_, step) => `${from + step}`);
}
