import { cellsAt } from "./cells.ts";
import type { Cell, Dimension } from "./dimension.ts";
import { addAll, alike, changed, read, tokenOf } from "./patients.ts";

const FIRST_NUMBER = 600_000_000;
const PASSPORTS = "https://fhir.ee/sid/pid/fin/ppn";

let numbers = 0;

export const identifiers: Dimension = {
  name: "identifiers",
  of: "identifiers of a patient",
  sizes: [1, 10, 100, 1000],
  bars: {
    read: { most: 1.5, each: 0.03 },
    "search by an identifier": { most: 1.5, each: 0.03 },
    update: { most: 1.5, each: 0.03 },
  },
  async prepare({ service }, sizes) {
    const cells: Cell[] = [];
    for (const size of sizes) {
      const identifier = Array.from({ length: size }, passport);
      const [id = ""] = await addAll(service, [{ ...alike(), identifier }]);
      const current = await read(service, id);
      const cell = cellsAt(service, size);
      cells.push(
        cell("read", ["GET", `Patient/${id}`]),
        cell("search by an identifier", ["GET", `Patient?identifier=${tokenOf(current)}`]),
        cell("update", ["PUT", `Patient/${id}`, changed(current)]),
      );
    }
    return cells;
  },
};

function passport() {
  return { system: PASSPORTS, value: `X${FIRST_NUMBER + numbers++}` };
}
