import { underNoSignal } from "../../../call/current-call.ts";
import { ambientTransaction } from "../../connection/ambient-transaction.ts";
import type { Database } from "../../connection/database.ts";
import { nextIds } from "./next-ids.ts";

const BLOCK = 50;

/** Patient ids, fetched a block at a time. A block that dies with the process leaves a hole, which means nothing. */
export class IdBlocks {
  readonly #database: Database;
  readonly #ids: bigint[] = [];
  #refill: Promise<void> | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  async next(): Promise<bigint> {
    for (;;) {
      const id = this.#ids.shift();
      if (id !== undefined) return id;
      // Others must not wait for what this transaction does.
      if (ambientTransaction(this.#database)) return await this.#fetchOne();
      this.#refill ??= underNoSignal(() => this.#fetch()).finally(() => {
        this.#refill = undefined;
      });
      await this.#refill;
    }
  }

  async #fetchOne(): Promise<bigint> {
    const [id] = await this.#ask(1);
    if (id === undefined) throw new Error("The sequence of ids gave none.");
    return id;
  }

  async #fetch(): Promise<void> {
    this.#ids.push(...(await this.#ask(BLOCK)));
  }

  #ask(count: number): Promise<bigint[]> {
    return nextIds((statement) => this.#database.$queryRaw<{ id: bigint }[]>(statement), count);
  }
}
