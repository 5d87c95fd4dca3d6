import { afterAll, beforeAll, expect, it } from "vitest";
import { patientDirectory, searchPatients } from "../../../src/patients/index.ts";
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
  expect(Math.max(...Object.values(large))).toBeLessThanOrEqual(26);
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

it("reads the group of several members once to know the identifiers of their person", async () => {
  const primary = await opened.add();
  const members = [await opened.add(), await opened.add(), await opened.add(), await opened.add()];
  for (const member of members) await opened.link(member, primary);
  const shown = valuesOf(await opened.read(primary));
  const { identifiersOfPersons } = patientDirectory(opened.store);
  const known = await identifiersOfPersons(members.map(BigInt));
  expect([...known.keys()]).toEqual(members.map(BigInt));
  for (const identifiers of known.values()) {
    expect(new Set(identifiers.map(({ value }) => value))).toEqual(new Set(shown));
  }
  const one = await statementsOf(() => identifiersOfPersons(members.slice(0, 1).map(BigInt)));
  const all = await statementsOf(() => identifiersOfPersons(members.map(BigInt)));
  expect(all).toBeLessThanOrEqual(one + members.length - 1);
});
