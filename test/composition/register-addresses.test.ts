import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { addressVariable } from "../../src/composition/register-addresses.ts";
import { registerNames } from "../../src/registers/index.ts";

it("docs/registers.md has the adapter and the setting of each register", async () => {
  const page = await readFile(new URL("../../docs/registers.md", import.meta.url), "utf8");
  const rows = [...page.matchAll(/^\| [\w-]+ \| `\w+` \| `(\w+)` \|$/gm)];
  expect(rows.map(([, variable]) => variable)).toEqual(registerNames.map(addressVariable));
});
