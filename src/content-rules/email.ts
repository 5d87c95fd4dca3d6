const LOCAL_PART = /^[A-Za-z0-9_+-]+(?:\.[A-Za-z0-9_+-]+)*$/;
const DOMAIN = /^(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?\.)+[A-Za-z]{2,}$/;
const LONGEST_LOCAL_PART = 64;
// RFC 1035; also keeps the pattern of the domain from long work on hostile input.
const LONGEST_DOMAIN = 253;

/** Whether a text is an e-mail address by the rules (spec rules.md, "Telecom"). */
export function isEmail(text: string): boolean {
  const at = text.indexOf("@");
  const domain = text.slice(at + 1);
  return (
    at > 0 &&
    at <= LONGEST_LOCAL_PART &&
    domain.length <= LONGEST_DOMAIN &&
    LOCAL_PART.test(text.slice(0, at)) &&
    DOMAIN.test(domain)
  );
}
