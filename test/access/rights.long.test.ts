import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isReached, roles } from "./expected-rights.ts";
import { type Records, startRecords } from "./records.ts";
import { everyScope, nobodys, walked, walks } from "./walk.ts";

let records: Records;

beforeAll(async () => {
  records = await startRecords();
});

afterAll(() => records.stop());

describe.each(["", everyScope])("By a token with the scopes %j", (scope) => {
  test.each(walks)(
    "$interaction ($place, $way) is done for those who may, and for nobody else",
    async (walk) => {
      const { found, expected } = await walked(records, walk, roles, scope);
      expect(found).toEqual(expected);
    },
  );
});

test.each(walks.filter(({ general }) => !general))(
  "$interaction ($place, $way) of nobody is refused to consumers as that of another is",
  async ({ way, asks }) => {
    for (const role of roles.filter((one) => !isReached(one, "other"))) {
      const asker = { role, scope: everyScope };
      const ofNobody = await records.ask(way, asks(nobodys), asker);
      expect([role, ofNobody]).toEqual([role, await records.ask(way, asks(records.of.other), asker)]);
    }
  },
);
