import { cellsAt } from "./cells.ts";
import { ask } from "./client.ts";
import { contactOf } from "./dependents.ts";
import type { Cell, Dimension, Place } from "./dimension.ts";
import { addAlike, addAll, addOthers, changed, pairOf, read, tokenOf } from "./patients.ts";

/** A group, by whoever is asked about it. In one of one patient the primary is whoever is there. */
interface Group {
  readonly size: number;
  readonly primary: string;
  readonly secondary: string;
  /** Who is linked to the primary, and unlinked. */
  readonly other: string;
  /** A contact person of the primary. */
  readonly contact: string;
}

export const groups: Dimension = {
  name: "groups",
  of: "patients in a linked group",
  sizes: [1, 2, 10, 100, 1000],
  bars: {
    "read a secondary": { most: 1.5, each: 0 },
    "update a secondary": { most: 1.5, each: 0 },
    "read the primary": { most: 4, each: 0.06 },
    "update the primary": { most: 3, each: 0.06 },
    "search by an identifier": { most: 5, each: 0.06 },
    $match: { most: 2, each: 0.03 },
    "link and unlink": { most: 2, each: 0.02 },
    "update a contact": { most: 2, each: 0.03 },
  },
  async prepare(place, sizes) {
    const found: Group[] = [];
    for (const size of sizes) found.push(await addGroup(place, size));
    const cells: Cell[] = [];
    for (const group of found) cells.push(...(await cellsOf(place, group)));
    return cells;
  },
};

async function addGroup({ service }: Place, size: number): Promise<Group> {
  const [primary = ""] = await addAlike(service, 1);
  const [secondary = primary] = await addAlike(service, Math.min(size - 1, 1));
  const [other = ""] = await addAlike(service, 1);
  const others = await addOthers(service, Math.max(size - 2, 0));
  for (const id of [...(secondary === primary ? [] : [secondary]), ...others]) {
    await ask(service, "POST", "Patient/$link", pairOf(id, primary));
  }
  const [contact = ""] = await addAll(service, [contactOf(primary)]);
  return { size, primary, secondary, other, contact };
}

async function cellsOf(
  { service }: Place,
  { size, primary, secondary, other, contact }: Group,
): Promise<Cell[]> {
  const [upper, lower] = [await read(service, primary), await read(service, secondary)];
  const person = await ask(service, "GET", `RelatedPerson/${contact}`);
  const sought = {
    resourceType: "Parameters",
    parameter: [
      { name: "resource", resource: { ...lower, id: undefined, link: undefined } },
      { name: "count", valueInteger: 1 },
    ],
  };
  const pair = pairOf(other, primary);
  const cell = cellsAt(service, size);
  return [
    cell("read a secondary", ["GET", `Patient/${secondary}`]),
    cell("update a secondary", ["PUT", `Patient/${secondary}`, changed(lower)]),
    cell("read the primary", ["GET", `Patient/${primary}`]),
    cell("update the primary", ["PUT", `Patient/${primary}`, changed(upper)]),
    cell("search by an identifier", ["GET", `Patient?identifier=${tokenOf(lower)}`]),
    cell("$match", ["POST", "Patient/$match", sought]),
    cell("link and unlink", ["POST", "Patient/$link", pair], ["POST", "Patient/$unlink", pair]),
    cell("update a contact", ["PUT", `RelatedPerson/${contact}`, changed(person)]),
  ];
}
