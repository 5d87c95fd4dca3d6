import { afterAll, beforeAll, expect, it } from "vitest";
import { searchPatients } from "../../../src/patients/index.ts";
import { PID } from "../../patients/examples.ts";
import { costsOfGroup } from "./large-group.ts";
import { type LinkageUnderTest, openLinkage, valuesOf } from "./linked-patients.ts";
import { statementsOf } from "./statements.ts";

let opened: LinkageUnderTest;

beforeAll(async () => {
  opened = await openLinkage();
});

afterAll(async () => {
  await opened.close();
});

it("takes as many statements for a large group as for a small one", async () => {
  const small = await costsOfGroup(opened, 4);
  const large = await costsOfGroup(opened, 40);
  expect(large).toEqual(small);
  expect(Math.max(...Object.values(large))).toBeLessThanOrEqual(25);
});

it("costs nothing more for a patient who is linked with nobody", async () => {
  const id = await opened.add();
  const [value] = valuesOf(await opened.read(id));
  const parameter = { name: "identifier", value: `${PID}/fin/ni|${value}` };
  const search = () =>
    searchPatients(opened.index, [{ $typeName: "patientindex.v1.SearchParameter", ...parameter }], false);
  expect(await statementsOf(() => opened.read(id))).toBe(1);
  expect(await statementsOf(search)).toBe(1);
});
