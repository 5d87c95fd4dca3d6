import pg from "pg";
import { vi } from "vitest";

/** How many statements work sends to the database, those that begin and end transactions included. */
export async function statementsOf(work: () => Promise<unknown>): Promise<number> {
  const spy = vi.spyOn(pg.Client.prototype, "query");
  try {
    await work();
    return spy.mock.calls.length;
  } finally {
    spy.mockRestore();
  }
}
