import type { Caller, KnownOfCaller } from "../../call/caller.ts";
import { memberCode } from "../../call/member-code.ts";
import { type ErrorIssue, type Fault, fault, type MpiError, refuseFor } from "../../errors/index.ts";
import { representationBy } from "../matrix/roles.ts";
import { type CallerHeaders, decodedIssue, headerNames } from "./caller-headers.ts";
import type { Claims } from "./claims.ts";

/** What a call asks for, as far as its caller has to know. */
export interface AskedOfCaller {
  /** Its name. */
  readonly interaction: () => string;
  /** Whether the caller must give a reason (MPI-032). */
  readonly needsReason: boolean;
}

/** What a call says of its caller. */
export interface CallerSaid {
  readonly headers: CallerHeaders;
  /** From a good token, or assumed by the deployment's settings; undefined when a good token is missing. */
  readonly claims: Claims | undefined;
  /** Why the token that was sent is not good. */
  readonly refusal: MpiError | undefined;
  /** Whether the claims are those of a token, which then is the truth about the user. */
  readonly byToken: boolean;
  readonly asked: AskedOfCaller;
}

const COUNTRY = "EE";
const USER = /^EE\d{11}$/;

/** The caller; refuses for all that is missing or contradicts itself at once (MPI-028, 032, 033, 044, 060, 061, 062, 066). */
export function callerOf(said: CallerSaid): Caller {
  const { headers, claims, refusal, asked } = said;
  const { role } = claims ?? {};
  const personalCode = saidPersonalCode(said);
  const organization = saidOrganization(said);
  const issue = decodedIssue(headers.issue);
  refuseFor(
    [
      ...tokenFaults(said),
      ...requestFaults(headers),
      ...userFaults(said, personalCode),
      ...authorFaults(headers),
      ...(claims && organization === undefined ? [missing("AUTHOR_INSTITUTION_MISSING", "client")] : []),
      ...(claims && role === undefined ? [roleMissing(said)] : []),
      ...(asked.needsReason && issue === undefined ? [missing("QUERY_REASON_MISSING", "issue")] : []),
    ],
    { cause: refusal },
  );
  if (!claims || personalCode === undefined || organization === undefined || role === undefined) {
    throw new TypeError("A caller was refused without a fault.");
  }
  const { name, application, scopes } = claims;
  return {
    personalCode,
    name,
    author: headers.author === undefined ? personalCode : userCode(headers.author),
    organization,
    role,
    application,
    scopes,
    represented: representedIn(claims),
    issue,
  };
}

/** What is known of the caller from a good token, or from the headers where they are trusted, though it may not be enough. */
export function knownOf(said: CallerSaid): KnownOfCaller {
  const { headers, claims, byToken } = said;
  const issue = decodedIssue(headers.issue);
  if (!claims) return { issue };
  const { name, role, application } = claims;
  const isPersonalCode = byToken || USER.test(headers.user ?? "");
  return {
    personalCode: isPersonalCode ? saidPersonalCode(said) : undefined,
    name,
    role,
    organization: saidOrganization(said),
    application,
    represented: representedIn(claims),
    issue,
  };
}

/** Whoever has no role of a representative acts for nobody, whatever their token says: it could be the patient on a screen. */
function representedIn({ role, represented }: Claims): string | undefined {
  return role === undefined || representationBy(role) === "none" ? undefined : represented;
}

function saidPersonalCode({ headers, claims, byToken }: CallerSaid): string | undefined {
  return byToken ? claims?.personalCode : userCode(headers.user);
}

function saidOrganization({ headers, claims }: CallerSaid): string | undefined {
  // The member code is the registry code of the institution.
  return claims?.organization ?? memberCode(headers.client);
}

function tokenFaults({ claims, refusal, byToken }: CallerSaid): readonly ErrorIssue[] {
  if (refusal) return refusal.issues;
  if (!claims) return [fault("TOKEN_MISSING", {}, at("token"))];
  return byToken && claims.personalCode === undefined ? [withoutAuthor("personalCode", "token")] : [];
}

function requestFaults({ requestId }: CallerHeaders): Fault[] {
  return requestId ? [] : [missing("REQUEST_ID_HEADER_MISSING", "requestId")];
}

function userFaults({ headers: { user }, byToken }: CallerSaid, personalCode: string | undefined): Fault[] {
  if (user === undefined) return [missing("USER_HEADER_MISSING", "user")];
  if (userCode(user) === "") return [withoutAuthor(headerNames.user, "user")];
  if (!byToken) {
    return USER.test(user)
      ? []
      : [fault("AUTHOR_PERSONAL_CODE_INVALID", { personalCode: userCode(user) }, at("user"))];
  }
  const isAnother = personalCode !== undefined && user !== `${COUNTRY}${personalCode}`;
  return isAnother ? [fault("TOKEN_OF_ANOTHER_USER", {}, at("user"))] : [];
}

function authorFaults({ user, author }: CallerHeaders): Fault[] {
  if (author === undefined) return [];
  if (userCode(author) === "") return [withoutAuthor(headerNames.author, "author")];
  const named = userCode(user);
  const differs = Boolean(named) && userCode(author) !== named;
  return differs ? [fault("AUTHOR_DIFFERS_FROM_USER", {}, at("author"))] : [];
}

function roleMissing({ asked }: CallerSaid): Fault {
  return fault("AUTHOR_ROLE_MISSING", { interaction: asked.interaction() }, at("token"));
}

function withoutAuthor(param: string, header: keyof typeof headerNames): Fault {
  return fault("AUTHOR_IDENTIFIER_MISSING", { param }, at(header));
}

function missing(
  meaning:
    | "AUTHOR_INSTITUTION_MISSING"
    | "QUERY_REASON_MISSING"
    | "REQUEST_ID_HEADER_MISSING"
    | "USER_HEADER_MISSING",
  header: keyof typeof headerNames,
): Fault {
  return fault(meaning, {}, at(header));
}

function at(header: keyof typeof headerNames) {
  return { expression: [`http.${headerNames[header]}`] };
}

/** The personal code of a user, without the country. */
function userCode(user: string): string;
function userCode(user: string | undefined): string | undefined;
function userCode(user: string | undefined): string | undefined {
  return user?.startsWith(COUNTRY) ? user.slice(COUNTRY.length) : user;
}
