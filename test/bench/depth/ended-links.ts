import { cellsAt } from "./cells.ts";
import { ask } from "./client.ts";
import type { Cell, Dimension } from "./dimension.ts";
import { addAlike, pairOf } from "./patients.ts";

export const endedLinks: Dimension = {
  name: "ended-links",
  of: "links of a primary that ended",
  sizes: [1, 10, 100, 1000],
  bars: {
    "read the primary": { most: 1.5, each: 0 },
  },
  async prepare({ service }, sizes) {
    const cells: Cell[] = [];
    for (const size of sizes) {
      const [primary = "", secondary = ""] = await addAlike(service, 2);
      const pair = pairOf(secondary, primary);
      for (let n = 0; n < size; n++) {
        await ask(service, "POST", "Patient/$link", pair);
        await ask(service, "POST", "Patient/$unlink", pair);
      }
      await ask(service, "POST", "Patient/$link", pair);
      const cell = cellsAt(service, size);
      cells.push(cell("read the primary", ["GET", `Patient/${primary}`]));
    }
    return cells;
  },
};
