import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { updatePatient } from "../../../src/patients/index.ts";
import { PID } from "../../patients/examples.ts";
import { expectSerialisable } from "./clients-at-once.ts";
import { expectModelHolds } from "./link-commands.ts";
import { type LinkageUnderTest, linksOf, openLinkage, valuesOf } from "./linked-patients.ts";

let opened: LinkageUnderTest;

async function open(): Promise<void> {
  opened = await openLinkage();
}

const close = () => opened.close();

describe("links", () => {
  beforeEach(open);
  afterEach(close);

  it("are those of the model after any acts", () => expectModelHolds(opened, 5, 40));

  it("are those of some order of the acts, when clients act at once", () =>
    expectSerialisable(opened, 8, 12, 6));
});

describe("of requests at once", () => {
  beforeAll(open);
  afterAll(close);

  it("one links a patient, the others are refused", async () => {
    const source = await opened.add();
    const targets = await Promise.all(Array.from({ length: 8 }, () => opened.add()));
    const outcomes = await Promise.allSettled(targets.map((target) => opened.link(source, target)));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  it("one of two that would close a circle wins", async () => {
    for (let round = 0; round < 10; round++) {
      const [a, b] = [await opened.add(), await opened.add()];
      const outcomes = await Promise.allSettled([opened.link(a, b), opened.link(b, a)]);
      expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    }
  });

  it("a longer circle is not closed either", async () => {
    for (let round = 0; round < 10; round++) {
      const [a, b, c] = [await opened.add(), await opened.add(), await opened.add()];
      const outcomes = await Promise.allSettled([opened.link(a, b), opened.link(b, c), opened.link(c, a)]);
      expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
    }
  });

  it("what secondaries are given shows at the primary, and no version is lost", async () => {
    const primary = await opened.add();
    const secondaries = await Promise.all(Array.from({ length: 4 }, () => opened.add()));
    const late = await opened.add();
    for (const id of secondaries) await opened.link(id, primary);
    await Promise.all([
      ...secondaries.map((id) => addIdentifier(opened, id)),
      opened.link(late, primary),
      addIdentifier(opened, primary),
    ]);
    const view = await opened.read(primary);
    expect(view.meta?.versionId).toBe(String(1 + 4 + 4 + 2));
    expect(linksOf(view)).toHaveLength(5);
    expect(valuesOf(view)).toHaveLength(6 + 5);
  });
});

async function addIdentifier({ index, read }: LinkageUnderTest, id: string): Promise<void> {
  const current = await read(id);
  const [own] = current.identifier;
  if (!own) throw new Error("The patient has no identifier.");
  const added = { ...own, system: `${PID}/nor/ni`, value: `N-${id}` };
  await updatePatient(index, id, { ...current, etag: "", identifier: [...current.identifier, added] });
}
