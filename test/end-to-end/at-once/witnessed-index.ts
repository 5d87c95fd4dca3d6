import { expect } from "vitest";
import { type HttpAnswer, send } from "../../gateway/http-client.ts";

// biome-ignore lint/suspicious/noExplicitAny: a resource as JSON
export type Json = any;

/** A patient whom clients know by an identifier that nobody else has. */
export interface Known {
  readonly id: string;
  readonly value: string;
}

/** A write that was answered with success. */
export interface Write {
  readonly id: string;
  readonly version: number;
  /** Such as `put`; a link and its end give versions to others too, and may share one with them. */
  readonly kind: string;
}

/** An index that several clients use at once, and what they were told by it. */
export class WitnessedIndex {
  readonly base: string;
  readonly known: Known[] = [];
  readonly writes: Write[] = [];
  /** Of each patient, how many links below somebody else were made of it and not undone. */
  readonly links = new Map<string, number>();
  /** Telephone numbers that came to two patients by one transaction, or to none. */
  readonly pairs: string[] = [];
  readonly #seen = new Map<string, string>();

  constructor(base: string) {
    this.base = base;
  }

  /** Sends a request, and looks at every patient in the answer. */
  async ask(
    path: string,
    method = "GET",
    body?: Json,
    headers: Record<string, string> = {},
  ): Promise<HttpAnswer> {
    const text = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await send(`${this.base}${path}`, { method, headers, ...text });
    this.#look(answer.json);
    return answer;
  }

  noteWrite(kind: string, { id, meta }: Json): void {
    this.writes.push({ id, version: Number(meta.versionId), kind });
  }

  /** One more link of a patient below another, or one less. */
  noteLink(id: string, change: 1 | -1): void {
    this.links.set(id, (this.links.get(id) ?? 0) + change);
  }

  /** A version shows one thing, wherever and whenever it is shown. */
  #look(json: Json): void {
    if (json?.resourceType === "Bundle") for (const { resource } of json.entry ?? []) this.#look(resource);
    if (json?.resourceType !== "Patient") return;
    const version = `${json.id}/${json.meta.versionId}`;
    const content = JSON.stringify(json);
    expect([version, this.#seen.get(version) ?? content]).toEqual([version, content]);
    this.#seen.set(version, content);
  }
}
