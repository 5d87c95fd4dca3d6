import { MpiError } from "../../../src/errors/index.ts";
import { roughBytes } from "../../../src/messages/index.ts";
import type { Answer } from "../../exchange/answer.ts";
import type { Interaction } from "../../exchange/interaction.ts";

/** What the entries of a Bundle may be answered with, about, together. */
export const ROOM_OF_BATCH = 8 * 1024 * 1024;
/** What the patches of a transaction may read together: it goes to the core as one message. */
export const ROOM_OF_PATCHES = 3 * 1024 * 1024;

const WRITES: ReadonlySet<string> = new Set(["create", "update", "patch", "delete", "link", "unlink"]);

/** Counts what a Bundle is answered with, or reads on its way: all of it stands in memory until the end. */
export class AnswerRoom {
  #left: number;

  constructor(bytes: number) {
    this.#left = bytes;
  }

  /** Refuses what only asks for something (MPI-027) when there is no more room: a write can do without. */
  refuseWhenFull({ code, operation = code }: Pick<Interaction, "code" | "operation">): void {
    if (this.#left < 0 && !WRITES.has(operation)) throw new MpiError("TOO_MANY_RESULTS");
  }

  /** Takes room for what the answer to an entry holds; when there is none it is answered without its resource. */
  take(answer: Answer): Answer {
    const { resource, ...withoutResource } = answer;
    if (this.#left < 0) return withoutResource;
    this.hold(resource);
    return answer;
  }

  /** Takes room for anything that is kept until the end. */
  hold(kept: unknown): void {
    this.#left -= roughBytes(kept);
  }
}
