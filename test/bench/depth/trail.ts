import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { doctor, headersOf, tokenOf } from "../../callers.ts";
import { cellsAt } from "./cells.ts";
import { ask } from "./client.ts";
import type { Cell, Dimension, Place } from "./dimension.ts";
import { addAlike, changed, read } from "./patients.ts";

const PEOPLE = join(import.meta.dirname, "..", "..", "..", "src", "sandbox", "people.json");
const PERSONAL_CODES = "https://fhir.ee/sid/pid/est/ni";
const READERS = 16;

export const trail: Dimension = {
  name: "trail",
  of: "audit entries of a patient",
  sizes: [10, 100, 1000, 10_000],
  bars: {
    read: { most: 1.5, each: 0 },
    update: { most: 1.5, each: 0 },
    "AuditEvent, newest": { most: 1.5, each: 0.001 },
  },
  async prepare(place, sizes) {
    const codes = await personalCodes(sizes.length);
    const cells: Cell[] = [];
    for (const [n, size] of sizes.entries()) cells.push(...(await cellsOf(place, size, codes[n] ?? "")));
    return cells;
  },
};

/** Patients see their own trail alone: so those of it are people whom the sandbox's register knows. */
async function cellsOf({ service, unaudited }: Place, size: number, code: string): Promise<Cell[]> {
  const [id = ""] = await addAlike(service, 1);
  await readTimes(service, id, size);
  const found = await ask(
    service,
    "GET",
    `Patient?identifier=${encodeURIComponent(`${PERSONAL_CODES}|${code}`)}`,
  );
  const own: string = found.entry[0].resource.id;
  await readTimes(service, own, size);
  const person = { ...doctor, personalCode: code, name: "The patient", role: "patient" };
  const caller = headersOf(person, await tokenOf(unaudited.sandboxUrl, person));
  const [cell, ownCell] = [cellsAt(service, size), cellsAt(unaudited, size, caller)];
  return [
    cell("read", ["GET", `Patient/${id}`]),
    cell("update", ["PUT", `Patient/${id}`, changed(await read(service, id))]),
    ownCell("AuditEvent, newest", ["GET", `AuditEvent?patient=Patient/${own}&_count=10`]),
  ];
}

async function personalCodes(count: number): Promise<string[]> {
  const { people } = JSON.parse(await readFile(PEOPLE, "utf8"));
  const living = people.filter(({ deathDate, note }: Record<string, unknown>) => !deathDate && !note);
  return living.slice(0, count).map(({ personalCode }: { personalCode: string }) => personalCode);
}

async function readTimes(service: Place["service"], id: string, times: number): Promise<void> {
  let left = times;
  const readers = Array.from({ length: Math.min(READERS, times) }, async () => {
    while (left-- > 0) await read(service, id);
  });
  await Promise.all(readers);
}
