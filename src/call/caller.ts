/** Who calls, for whom, and why (security.md, Caller). Never logged: it names people. */
export interface Caller {
  /** Personal code of the user, without the country. */
  readonly personalCode: string;
  readonly name: string | undefined;
  /** Personal code of the author of what is written, without the country; the user's own where no other is given. */
  readonly author: string;
  /** Registry code of the organisation that the user works for. */
  readonly organization: string;
  /** As in the token: doctor, nurse, patient … */
  readonly role: string;
  readonly application: string | undefined;
  /** Rights beyond those of the role, such as `birthdate-search`. */
  readonly scopes: readonly string[];
  /** Personal code of the person that a representative acts for. */
  readonly represented: string | undefined;
  /** Why, in the caller's words: x-road-issue, percent-decoded. */
  readonly issue: string | undefined;
}

/** What is known of a caller who may yet be refused: from a good token or trusted headers. Without either it is at most the issue. */
export type KnownOfCaller = { readonly [Member in keyof Caller]?: Caller[Member] | undefined };

/** Whether nothing is known of who calls: they have no token, or a bad one. The issue does not count, anybody can write it. */
export function isUnknown({ issue: _, ...known }: KnownOfCaller): boolean {
  return Object.values(known).every((said) => said === undefined);
}

/** One caller to whatever counts what callers do: a user of an application of an organisation. Never logged. */
export function callerKey({ organization, application, personalCode }: Caller): string {
  return `${organization} ${application ?? ""} ${personalCode}`;
}
