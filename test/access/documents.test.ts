import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { capabilityParts } from "../../gateway/capability/capability-statement.ts";
import { searchParametersByType } from "../../gateway/definitions/search-parameters.ts";
import { allInteractions } from "../../gateway/routes/interactions.ts";
import { grantedFile } from "../../src/commands/document/granted-file.ts";
import { permissionsPage } from "../../src/commands/document/permissions-page.ts";
import { interactions, isAllowed, isReached, roles, scopes } from "./expected-rights.ts";

interface Documented {
  readonly code: string;
  readonly name: string;
  readonly documentation?: string;
}

interface Resource {
  readonly type: string;
  readonly interaction: readonly Documented[];
  readonly operation?: readonly Documented[];
  readonly searchParam?: readonly Documented[];
}

const statement = capabilityParts(allInteractions(), "2026-01-01") as unknown as {
  readonly rest: readonly [{ readonly resource: readonly Resource[]; readonly security: object }];
};
const [{ resource: resources, security }] = statement.rest;

const names: Readonly<Record<string, (type: string) => string>> = {
  read: (type) => `read ${type}`,
  vread: (type) => `history of one ${type}`,
  "history-instance": (type) => `history of one ${type}`,
  "history-type": (type) => `${type}/_history`,
  "search-type": (type) => `search ${type}`,
  create: (type) => `create ${type}`,
  update: (type) => `update ${type}`,
  patch: (type) => `update ${type}`,
  delete: (type) => `delete ${type}`,
};

/** The trail has one name, however it is looked at. */
function nameOf(code: string, type: string): string {
  return type === "AuditEvent" ? "AuditEvent of a patient" : (names[code]?.(type) ?? code);
}

/** Types that anybody may read. */
const OPEN: readonly string[] = ["StructureDefinition", "OperationDefinition", "SearchParameter"];

/** Allowed with the right to something else. */
const DERIVED: readonly string[] = ["validate"];

/** How the specification's rights to an interaction are put into words. */
function expectedWords(interaction: string): string {
  const allowed = roles.filter((role) => isAllowed(interaction, role));
  const everywhere = allowed.filter((role) => isReached(role, "other"));
  const own = allowed.filter((role) => !isReached(role, "other"));
  return [...everywhere, "|", ...own, "|", scopes[interaction] ?? ""].sort().join(" ");
}

/** What the statement says, in the same words. */
function saidWords(documentation = ""): string {
  const list = (before: string) => new RegExp(`${before}: ([^.]*)\\.`).exec(documentation)?.[1] ?? "";
  const split = (text: string) => text.split(", ").filter((word) => word !== "");
  return [
    ...split(list("Roles")),
    "|",
    ...split(list("Of one's own record")),
    "|",
    list("Scope of the token"),
  ]
    .sort()
    .join(" ");
}

test("the CapabilityStatement says of every interaction who may, as the specification does", () => {
  const said = resources
    .filter(({ type }) => !OPEN.includes(type))
    .flatMap(({ type, interaction, operation = [] }) => [
      ...interaction.map((one) => [nameOf(one.code, type), one.documentation] as const),
      ...operation
        .filter(({ name }) => !DERIVED.includes(name))
        .map((one) => [`$${one.name}`, one.documentation] as const),
    ]);
  for (const [name, documentation] of said) {
    expect(interactions, name).toContain(name);
    expect([name, saidWords(documentation)]).toEqual([name, expectedWords(name)]);
  }
  expect(said.length).toBeGreaterThan(30);
});

test("it says nothing of what is open to everybody", () => {
  const open = resources.filter(({ type }) => OPEN.includes(type)).flatMap(({ interaction }) => interaction);
  expect(open.filter(({ documentation }) => documentation !== undefined)).toEqual([]);
  expect(open.length).toBeGreaterThan(0);
});

test("it names the scope that a search parameter needs, of those that need one", () => {
  const parameters = resources.find(({ type }) => type === "Patient")?.searchParam ?? [];
  const needing = parameters.filter(({ documentation }) => documentation?.includes("Scope of the token"));
  expect(needing.map(({ name, documentation }) => [name, saidWords(documentation)])).toEqual([
    ["birthdate", expectedWords("search Patient by birthdate")],
  ]);
  expect(parameters).toHaveLength(searchParametersByType["Patient"]?.length ?? 0);
});

test("it says how callers are known", () => {
  expect(security).toMatchObject({ description: expect.stringContaining("reach their own record") });
});

test.each([
  ["docs/permissions.md", permissionsPage],
  ["gateway/capability/granted.gen.ts", grantedFile],
])("%s is made from the matrix", async (path, content) => {
  expect(await readFile(new URL(`../../${path}`, import.meta.url), "utf8")).toBe(content());
});
