import { expect, it } from "vitest";
import { costsOfGroup } from "./large-group.ts";
import { openLinkage } from "./linked-patients.ts";

it("takes as many statements for a group of 1,000 as for one of four", { timeout: 600_000 }, async () => {
  const opened = await openLinkage();
  try {
    const large = await costsOfGroup(opened, 1000);
    expect(large).toEqual(await costsOfGroup(opened, 4));
  } finally {
    await opened.close();
  }
});
