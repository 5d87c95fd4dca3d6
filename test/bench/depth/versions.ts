import { cellsAt } from "./cells.ts";
import { ask } from "./client.ts";
import type { Cell, Dimension, Place } from "./dimension.ts";
import { addAlike, changed, changeTimes, pairOf, read, tokenOf } from "./patients.ts";

const unchanging = { most: 1.5, each: 0 };

export const versions: Dimension = {
  name: "versions",
  of: "versions of a patient",
  sizes: [1, 10, 100, 1000, 10_000],
  bars: {
    read: unchanging,
    "search by an identifier": unchanging,
    update: unchanging,
    "link and unlink": unchanging,
    "read the first version": unchanging,
    "history, newest": unchanging,
    "history, oldest": unchanging,
    "history since the last change": unchanging,
    "read the primary of one": unchanging,
  },
  async prepare(place, sizes) {
    const patients: Patients[] = [];
    for (const size of sizes) patients.push(await addPatients(place, size));
    const changes = patients.flatMap(({ size, id, written, secondary }) =>
      [id, written, secondary].map((one) => changeTimes(place.service, one, size - 1)),
    );
    await Promise.all(changes);
    const cells: Cell[] = [];
    for (const one of patients) cells.push(...(await cellsOf(place, one)));
    return cells;
  },
};

/** Those of a size. Who is written to in each request is somebody else than who is read: that makes more versions. */
interface Patients {
  readonly size: number;
  readonly id: string;
  readonly written: string;
  /** Who is linked to the written one, and unlinked. */
  readonly other: string;
  readonly primary: string;
  readonly secondary: string;
}

async function addPatients({ service }: Place, size: number): Promise<Patients> {
  const [id = "", written = "", other = "", primary = "", secondary = ""] = await addAlike(service, 5);
  await ask(service, "POST", "Patient/$link", pairOf(secondary, primary));
  return { size, id, written, other, primary, secondary };
}

async function cellsOf({ service }: Place, { size, id, written, other, primary }: Patients): Promise<Cell[]> {
  const current = await read(service, id);
  const since = encodeURIComponent(current.meta.lastUpdated);
  const pair = pairOf(other, written);
  const cell = cellsAt(service, size);
  return [
    cell("read", ["GET", `Patient/${id}`]),
    cell("search by an identifier", ["GET", `Patient?identifier=${tokenOf(current)}`]),
    cell("update", ["PUT", `Patient/${written}`, changed(await read(service, written))]),
    cell("link and unlink", ["POST", "Patient/$link", pair], ["POST", "Patient/$unlink", pair]),
    cell("read the first version", ["GET", `Patient/${id}/_history/1`]),
    cell("history, newest", ["GET", `Patient/${id}/_history?_count=1`]),
    cell("history, oldest", ["GET", `Patient/${id}/_history?_count=1&_sort=_lastUpdated`]),
    cell("history since the last change", ["GET", `Patient/${id}/_history?_count=1&_since=${since}`]),
    cell("read the primary of one", ["GET", `Patient/${primary}`]),
  ];
}
