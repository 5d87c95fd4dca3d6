import { describe, expect, test } from "vitest";
import { type Authentication, type Claims, identifyCaller } from "../../src/access/index.ts";
import type { KnownOfCaller } from "../../src/call/caller.ts";
import { type Meaning, MpiError } from "../../src/errors/index.ts";

const claims: Claims = {
  personalCode: "38010130257",
  name: "Sander Oliver Luik",
  organization: "90001478",
  role: "doctor",
  application: "hospital",
  scopes: ["name"],
  represented: undefined,
};

const headers: Record<string, string> = {
  authorization: "Bearer a.b.c",
  "x-road-id": "1",
  "x-road-userid": "EE38010130257",
  "x-road-client": "EE/COM/10000001/hospital",
};

const byHeaders: Authentication = { kind: "headers", assumedRole: "nurse" };

function byToken(changes: Partial<Claims> = {}): Authentication {
  return { kind: "token", verifier: { verify: async () => ({ ...claims, ...changes }) } };
}

function callerOf(
  authentication: Authentication,
  changes: Record<string, string | undefined> = {},
  learn: (known: KnownOfCaller) => void = () => undefined,
  needsReason = false,
) {
  const given: Record<string, string | undefined> = { ...headers, ...changes };
  return identifyCaller(
    authentication,
    (name) => given[name] ?? null,
    { interaction: () => "read Patient", needsReason },
    learn,
  );
}

/** What is known of somebody who is refused. */
async function knownOf(...[authentication, changes]: Parameters<typeof callerOf>): Promise<KnownOfCaller> {
  let known: KnownOfCaller = {};
  const refusal = callerOf(authentication, changes, (learnt) => {
    known = learnt;
  });
  await expect(refusal).rejects.toBeInstanceOf(MpiError);
  return known;
}

/** Meaning and header of everything that a caller is refused for. */
async function faultsOf(
  authentication: Authentication,
  changes?: Record<string, string | undefined>,
  needsReason?: boolean,
): Promise<string[]> {
  const error = await callerOf(authentication, changes, undefined, needsReason).catch(
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof MpiError)) throw new Error("Not refused.", { cause: error });
  return error.issues.map((issue) =>
    "meaning" in issue ? [issue.meaning, ...(issue.expression ?? [])].join(" ") : issue.code,
  );
}

describe("a caller with a token", () => {
  test("is who the token says, for the organisation that it says, and his own author", async () => {
    expect(await callerOf(byToken())).toEqual({ ...claims, author: "38010130257", issue: undefined });
  });

  test("is of the calling institution where the token says nothing of it", async () => {
    const { organization } = await callerOf(byToken({ organization: undefined }));
    expect(organization).toBe("10000001");
  });

  test.each(["38010130257", "EE38010130257"])("may name himself as author: %s", async (author) => {
    expect((await callerOf(byToken(), { "x-author-id": author })).author).toBe("38010130257");
  });

  test.each([
    ["legal-representative", "61801010001"],
    ["consent-representative", "61801010001"],
    ["consent-representative-limited", "61801010001"],
    ["patient", undefined],
    ["patient-limited", undefined],
    ["doctor", undefined],
    ["administrator", undefined],
  ])("in the role %s acts for %s, whomever the token names", async (role, represented) => {
    const named = byToken({ role, represented: "61801010001" });
    expect((await callerOf(named)).represented).toBe(represented);
    expect((await knownOf(named, { "x-road-id": undefined })).represented).toBe(represented);
  });

  test("learns everything that is missing at once", async () => {
    const nothing = { "x-road-id": undefined, "x-road-userid": undefined, "x-road-client": undefined };
    const empty = { personalCode: undefined, organization: undefined, role: undefined };
    expect(await faultsOf(byToken(empty), nothing)).toEqual([
      "AUTHOR_IDENTIFIER_MISSING http.authorization",
      "REQUEST_ID_HEADER_MISSING http.x-road-id",
      "USER_HEADER_MISSING http.x-road-userid",
      "AUTHOR_INSTITUTION_MISSING http.x-road-client",
      "AUTHOR_ROLE_MISSING http.authorization",
    ]);
  });

  test("learns that the reason is missing with all the rest, where one is needed", async () => {
    const without = { "x-road-id": undefined, "x-road-issue": "%20" };
    const requestId = "REQUEST_ID_HEADER_MISSING http.x-road-id";
    expect(await faultsOf(byToken(), without)).toEqual([requestId]);
    expect(await faultsOf(byToken(), without, true)).toEqual([
      requestId,
      "QUERY_REASON_MISSING http.x-road-issue",
    ]);
    expect((await callerOf(byToken(), { "x-road-issue": "visit" }, undefined, true)).issue).toBe("visit");
  });

  test.each([
    ["a token that is not good", "Bearer a.b.c", "TOKEN_REFUSED"],
    ["several tokens", "Bearer a.b.c, Bearer a.b.d", "TOKEN_REPEATED"],
  ] as const)("with %s learns what is missing too", async (_what, authorization, meaning) => {
    const refusing: Authentication = {
      kind: "token",
      verifier: {
        verify: async () => {
          throw new MpiError("TOKEN_REFUSED", {}, { expression: ["http.authorization"] });
        },
      },
    };
    expect(await faultsOf(refusing, { authorization, "x-road-id": undefined })).toEqual([
      `${meaning} http.authorization`,
      "REQUEST_ID_HEADER_MISSING http.x-road-id",
    ]);
  });

  test("without the token learns what else is missing, but not what the token would have said", async () => {
    const nothing = { authorization: undefined, "x-road-id": " ", "x-road-client": undefined };
    expect(await faultsOf(byToken(), nothing)).toEqual([
      "TOKEN_MISSING http.authorization",
      "REQUEST_ID_HEADER_MISSING http.x-road-id",
    ]);
  });

  test.each<[string, Record<string, string>, Meaning, string]>([
    ["another user", { "x-road-userid": "EE46602140023" }, "TOKEN_OF_ANOTHER_USER", "x-road-userid"],
    ["no country", { "x-road-userid": "38010130257" }, "TOKEN_OF_ANOTHER_USER", "x-road-userid"],
    ["an empty user", { "x-road-userid": "" }, "AUTHOR_IDENTIFIER_MISSING", "x-road-userid"],
    ["an empty author", { "x-author-id": "" }, "AUTHOR_IDENTIFIER_MISSING", "x-author-id"],
    ["a user without a code", { "x-road-userid": "EE" }, "AUTHOR_IDENTIFIER_MISSING", "x-road-userid"],
    ["an author without a code", { "x-author-id": "EE " }, "AUTHOR_IDENTIFIER_MISSING", "x-author-id"],
    ["another author", { "x-author-id": "46602140023" }, "AUTHOR_DIFFERS_FROM_USER", "x-author-id"],
  ])("is refused for %s", async (_what, changes, meaning, header) => {
    expect(await faultsOf(byToken(), changes)).toEqual([`${meaning} http.${header}`]);
  });
});

describe("a caller who is known by headers alone", () => {
  test("has the assumed role, whatever token there is", async () => {
    expect(await callerOf(byHeaders)).toMatchObject({
      personalCode: "38010130257",
      author: "38010130257",
      organization: "10000001",
      role: "nurse",
      scopes: [],
    });
  });

  test("learns everything that is missing at once", async () => {
    const nothing = { "x-road-id": undefined, "x-road-userid": undefined, "x-road-client": "EE/COM" };
    expect(await faultsOf(byHeaders, nothing)).toEqual([
      "REQUEST_ID_HEADER_MISSING http.x-road-id",
      "USER_HEADER_MISSING http.x-road-userid",
      "AUTHOR_INSTITUTION_MISSING http.x-road-client",
    ]);
  });

  test.each([
    "EE/COM",
    "EE/COM//hospital",
    "EE/COM/ /hospital",
    "EE/COM/10000001/hospital/ward",
    "EE/COM/10000001/hospital, EE/COM/10000002/other",
    "EE/COM/10000002, EE/COM/10000001/hospital",
  ])("is of no institution as %s", async (client) => {
    expect(await faultsOf(byHeaders, { "x-road-client": client })).toEqual([
      "AUTHOR_INSTITUTION_MISSING http.x-road-client",
    ]);
  });

  test("may be of an institution without naming its subsystem", async () => {
    const { organization } = await callerOf(byHeaders, { "x-road-client": "EE/COM/10000001" });
    expect(organization).toBe("10000001");
  });

  test.each(["38010130257", "EE3801013025", "FI131052-308T", "EE38010130257, EE46602140023"])(
    "is refused as %s",
    async (user) => {
      expect(await faultsOf(byHeaders, { "x-road-userid": user })).toEqual([
        "AUTHOR_PERSONAL_CODE_INVALID http.x-road-userid",
      ]);
    },
  );

  test("is told of a country without a code that the code is missing, not that it is incorrect", async () => {
    const without = { "x-road-userid": "EE", "x-author-id": "38010130257" };
    expect(await faultsOf(byHeaders, without)).toEqual(["AUTHOR_IDENTIFIER_MISSING http.x-road-userid"]);
  });
});

test.each([
  ["visit 12", "visit 12"],
  ["Ravi%20%C3%B5ues", "Ravi õues"],
  ["50% tõus", "50% tõus"],
  ["50% t%C3%B5us", "50% tõus"],
  ["%FF%FE", "%FF%FE"],
  ["first%0Asecond%00", "first second"],
  [" ", undefined],
  [undefined, undefined],
])("the reason %j is %j", async (given, shown) => {
  expect((await callerOf(byToken(), { "x-road-issue": given })).issue).toBe(shown);
});

describe("what is known of somebody who is refused", () => {
  const { scopes: _, ...person } = claims;

  test("is what the token says, whatever the headers say", async () => {
    const known = await knownOf(byToken(), { "x-road-userid": "EE46602140023", "x-road-issue": "visit" });
    expect(known).toEqual({ ...person, issue: "visit" });
  });

  test("is as much as the token says", async () => {
    const known = await knownOf(byToken({ personalCode: undefined, role: undefined }));
    expect(known).toEqual({ ...person, personalCode: undefined, role: undefined, issue: undefined });
  });

  test("is why alone, without a token or with a bad one", async () => {
    const changes = { "x-road-issue": "visit" };
    expect(await knownOf(byToken(), { ...changes, authorization: undefined })).toEqual({ issue: "visit" });
    const verify = () => Promise.reject(new MpiError("TOKEN_MISSING"));
    expect(await knownOf({ kind: "token", verifier: { verify } }, changes)).toEqual({ issue: "visit" });
  });

  test("is what the headers say where they are trusted, but no code that is none", async () => {
    const withoutRequestId = await knownOf(byHeaders, { "x-road-id": undefined });
    expect(withoutRequestId).toMatchObject({
      personalCode: "38010130257",
      organization: "10000001",
      role: "nurse",
    });
    const withoutUser = await knownOf(byHeaders, { "x-road-userid": "EE1" });
    expect(withoutUser).toMatchObject({ organization: "10000001", role: "nurse" });
    expect(withoutUser.personalCode).toBeUndefined();
  });
});
