/** Letters that taking accents away does not make Latin ones, by how a passport writes them (ICAO 9303, where it says). */
const LATIN: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ð: "d",
  ħ: "h",
  ı: "i",
  ł: "l",
  ŋ: "n",
  þ: "th",
  ə: "e",
};

/** Russian, Ukrainian and Belarusian, as passports write them. */
const CYRILLIC: Readonly<Record<string, string>> = {
  а: "a",
  б: "b",
  в: "v",
  г: "g",
  ґ: "g",
  д: "d",
  е: "e",
  ё: "jo",
  є: "je",
  ж: "zh",
  з: "z",
  и: "i",
  і: "i",
  ї: "ji",
  й: "i",
  к: "k",
  л: "l",
  м: "m",
  н: "n",
  о: "o",
  п: "p",
  р: "r",
  с: "s",
  т: "t",
  у: "u",
  ў: "u",
  ф: "f",
  х: "h",
  ц: "ts",
  ч: "ch",
  ш: "sh",
  щ: "shch",
  ъ: "",
  ы: "y",
  ь: "",
  э: "e",
  ю: "ju",
  я: "ja",
};

/** Those that Estonian writes otherwise, without accents: Štšerbakov, Rõžihh. */
const ESTONIAN: Readonly<Record<string, string>> = {
  ж: "z",
  ч: "ts",
  ш: "s",
  щ: "sts",
  ы: "o",
};

/** Nothing of these is written in another way. */
const ASCII = /^[ -~]*$/;

const FOREIGN_LETTER = new RegExp(`[${Object.keys({ ...LATIN, ...CYRILLIC }).join("")}]`, "g");

/** A text with those Cyrillic letters in Latin that Estonian writes otherwise than passports; mostly the text itself. */
export function withEstonianLetters(text: string): string {
  return text.replace(/[жчшщы]/gi, (letter) => ESTONIAN[letter.toLowerCase()] ?? letter);
}

/**
 * A text in small letters without accents, in Latin letters where they are known: Š and š, Õ and O, Щ and shch are the
 * same. Other scripts stay as they are.
 */
export function plainLetters(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  // Composed first: й and ї have letters of their own, not an accent.
  const lower = text.normalize("NFKC").toLowerCase();
  const latin = lower.replace(FOREIGN_LETTER, (letter) => LATIN[letter] ?? CYRILLIC[letter] ?? letter);
  return latin.normalize("NFD").replace(/\p{M}+/gu, "");
}
