import { expect } from "vitest";
import { readLinkGroup } from "../../../src/linkage/index.ts";
import { searchPatients } from "../../../src/patients/index.ts";
import { PID } from "../../patients/examples.ts";
import { type LinkageUnderTest, linksOf, valuesOf } from "./linked-patients.ts";
import { statementsOf } from "./statements.ts";

/** What each act on a group costs, in statements. */
export interface Costs {
  readonly [act: string]: number;
}

/** Links so many patients into one group, some below others, and moves it, reads it, searches it. */
export async function costsOfGroup(opened: LinkageUnderTest, size: number): Promise<Costs> {
  const [primary, newPrimary, late] = [await opened.add(), await opened.add(), await opened.add()];
  const secondaries: string[] = [];
  while (secondaries.length < size - 1) secondaries.push(await opened.add());
  for (const [at, id] of secondaries.entries()) {
    await opened.link(id, at % 3 === 2 ? (secondaries[at - 1] ?? primary) : primary);
  }
  const someone = secondaries[Math.floor(size / 2)] ?? primary;
  const [value = ""] = valuesOf(await opened.read(someone));
  const costs = {
    "link of one more": await statementsOf(() => opened.link(late, someone)),
    "unlink of one": await statementsOf(() => opened.unlink(primary, late)),
    "link of the whole group": await statementsOf(() => opened.link(primary, newPrimary)),
    "read of the primary": await statementsOf(() => opened.read(newPrimary)),
    "read of a secondary": await statementsOf(() => opened.read(someone)),
    search: await statementsOf(() => search(opened, value)),
    tree: await statementsOf(() => readLinkGroup(opened.linkage, someone, undefined)),
    "unlink of the whole group": await statementsOf(() => opened.unlink(newPrimary, primary)),
  };
  const view = await opened.read(primary);
  expect(linksOf(view)).toHaveLength(size - 1);
  expect(view.identifier).toHaveLength(size);
  expect(linksOf(await opened.read(newPrimary))).toEqual([]);
  expect((await search(opened, value)).total).toBe(size);
  return costs;
}

function search(opened: LinkageUnderTest, value: string) {
  const parameter = { name: "identifier", value: `${PID}|${value}` };
  return searchPatients(
    opened.index,
    [{ $typeName: "patientindex.v1.SearchParameter", ...parameter }],
    false,
  );
}
