/** Controls, signs of format, and letters and marks that are shown as nothing, as the Hangul fillers are. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** Hardly any text has none. */
const VISIBLE_ASCII = /[!-~]/;

/** Whether a text has a sign that nobody sees; blanks are none. */
export function hasInvisible(text: string): boolean {
  return text.search(INVISIBLE) >= 0;
}

/** Whether there is nothing to be seen of a text: blanks, and signs that nobody sees. */
export function isUnseen(text: string): boolean {
  return !VISIBLE_ASCII.test(text) && text.replace(INVISIBLE, "").trim() === "";
}
