import { expect, test } from "vitest";
import { type Permission, permissions, roleGroups } from "../../src/access/index.ts";
import { interactions, isAllowed, roles, scopes } from "./expected-rights.ts";

// Also what is not offered over FHIR, and to roles of which the specification knows nothing.
test("the matrix grants what the specification does, and to nobody else", () => {
  const rows: readonly Permission[] = permissions;
  const granted = rows.flatMap(({ interactions: names, groups, scope }) => {
    const allowed = groups.flatMap((group): string[] => [...roleGroups[group]]).toSorted();
    return names.map((name) => [name, { allowed, scope }] as const);
  });
  const expected = interactions.map((name) => {
    const allowed = roles.filter((role) => isAllowed(name, role)).toSorted();
    return [name, { allowed, scope: scopes[name] }] as const;
  });
  expect(granted).toHaveLength(expected.length);
  expect(Object.fromEntries(granted)).toEqual(Object.fromEntries(expected));
});
