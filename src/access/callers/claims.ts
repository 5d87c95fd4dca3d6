/** What is known of a user beside the headers (security.md, Caller); undefined where it is not said. */
export interface Claims {
  /** Without the country. */
  readonly personalCode: string | undefined;
  readonly name: string | undefined;
  /** Registry code. */
  readonly organization: string | undefined;
  readonly role: string | undefined;
  readonly application: string | undefined;
  readonly scopes: readonly string[];
  /** Personal code of the person that a representative acts for. */
  readonly represented: string | undefined;
}

/** The claims in the payload of a token. A claim of another type than it should have is one that is not said. */
export function claimsOf(payload: Readonly<Record<string, unknown>>): Claims {
  const text = (name: string) => textOf(payload[name]);
  return {
    personalCode: text("personalCode"),
    name: text("name"),
    organization: text("organization"),
    role: text("role"),
    application: text("application"),
    scopes: scopesOf(payload["scope"]),
    represented: text("patient"),
  };
}

/** What is known of somebody who came without a token, in a role that the deployment assumes. */
export function assumedClaims(role: string): Claims {
  return { ...claimsOf({}), role };
}

function textOf(claim: unknown): string | undefined {
  return typeof claim === "string" ? claim.trim() || undefined : undefined;
}

/** Separated by spaces (RFC 8693, 4.2), or a list as some issuers have it. */
function scopesOf(claim: unknown): readonly string[] {
  const listed = Array.isArray(claim) ? claim : [claim];
  return listed
    .filter((one) => typeof one === "string")
    .flatMap((one) => one.split(" "))
    .filter((scope) => scope !== "");
}
