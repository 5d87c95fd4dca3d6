const ESTONIA = "+372";
const ESTONIAN_LANDLINE = /^(?:3[23589]|6\d|7[1-9]|88)\d{5}$/;
const ESTONIAN_MOBILE = /^5\d{6,7}$/;
const ABROAD = /^\+[1-9]\d{1,14}$/;

/**
 * A phone number as it is stored: `+`, country code, number, no spaces. Undefined when it is no number by the
 * rules (spec rules.md, "Telecom"). What begins with +372 or has no country code is held to the Estonian plan.
 */
export function storedPhone(given: string): string | undefined {
  const digits = given.replace(/\s+/g, "");
  const national = nationalNumber(digits);
  if (national === undefined) return ABROAD.test(digits) ? digits : undefined;
  return ESTONIAN_LANDLINE.test(national) || ESTONIAN_MOBILE.test(national) ? ESTONIA + national : undefined;
}

function nationalNumber(digits: string): string | undefined {
  if (digits.startsWith(ESTONIA)) return digits.slice(ESTONIA.length);
  if (digits.startsWith("00372")) return digits.slice("00372".length);
  return digits.startsWith("+") ? undefined : digits;
}
