import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Replicas } from "./replicas.ts";

/** Somebody who is in the index. */
export interface KnownPatient {
  readonly id: string;
  readonly token: string;
}

/** A write that was answered with success. */
export interface Acknowledged {
  readonly id: string;
  readonly token: string;
}

type Kind = "read" | "search" | "create" | "update";

interface Measured {
  readonly kind: Kind;
  readonly phase: string;
  readonly milliseconds: number;
}

/** How often each kind of request comes, of 10. */
const MIX: readonly Kind[] = [
  "read",
  "read",
  "read",
  "read",
  "search",
  "search",
  "search",
  "create",
  "create",
  "update",
];
const FHIR = { "content-type": "application/fhir+json" };

/** Reads and writes at a steady rate, as clients do who wait for nobody else. */
export class Load {
  readonly #replicas: Replicas;
  readonly #known: readonly KnownPatient[];
  readonly #measured: Measured[] = [];
  readonly acknowledged: Acknowledged[] = [];
  /** What went wrong, each in a line. */
  readonly failures: string[] = [];
  cut = 0;
  phase = "before";
  #isStopped = false;
  #working: Promise<unknown> = Promise.resolve();

  constructor(replicas: Replicas, known: readonly KnownPatient[]) {
    this.#replicas = replicas;
    this.#known = known;
  }

  /** So many clients, each of which begins so many requests a second. */
  start(clients: number, rate: number): void {
    this.#working = Promise.all(Array.from({ length: clients }, () => this.#work(1000 / rate)));
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#working;
  }

  /** Of each phase: how many requests, and the percentiles of their times in milliseconds. */
  report(): Record<string, { requests: number; p50: number; p95: number; p99: number; worst: number }> {
    const phases = Map.groupBy(this.#measured, ({ phase }) => phase);
    return Object.fromEntries(
      [...phases].map(([phase, measured]) => {
        const times = measured.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b);
        const at = (part: number) =>
          Math.round((times[Math.floor((times.length - 1) * part)] ?? 0) * 10) / 10;
        return [phase, { requests: times.length, p50: at(0.5), p95: at(0.95), p99: at(0.99), worst: at(1) }];
      }),
    );
  }

  async #work(interval: number): Promise<void> {
    /** Those whom this client created and has not changed yet. */
    const own: string[] = [];
    await delay(Math.random() * interval);
    while (!this.#isStopped) {
      const begun = performance.now();
      const kind = anyOf(MIX);
      const phase = this.phase;
      try {
        const wasCut = await this.#request(kind, own);
        const milliseconds = performance.now() - begun;
        // One that was begun twice says nothing of how long one takes.
        if (wasCut) this.cut++;
        else this.#measured.push({ kind, phase, milliseconds });
      } catch (cause) {
        this.failures.push(`${phase} ${kind}: ${cause}`);
      }
      await delay(Math.max(0, interval - (performance.now() - begun)));
    }
  }

  async #request(kind: Kind, own: string[]): Promise<boolean> {
    const known = anyOf(this.#known);
    switch (kind) {
      case "read":
        return (await this.#ask(`/fhir/Patient/${known.id}`)).wasCut;
      case "search": {
        const { json, wasCut } = await this.#ask(
          `/fhir/Patient?identifier=${encodeURIComponent(known.token)}`,
        );
        if (json.total !== 1 || json.entry[0].resource.id !== known.id)
          throw new Error(`found ${json.total}`);
        return wasCut;
      }
      case "create":
        return await this.#create(own);
      case "update":
        return await this.#update(own);
    }
  }

  async #create(own: string[]): Promise<boolean> {
    const body = newPatient();
    const init = { method: "POST", headers: FHIR, body: JSON.stringify(body) };
    const { json, status, wasCut } = await this.#ask("/fhir/Patient", init, 201, 409);
    // Sent again after its replica was killed, it may have been stored already.
    if (status === 409 && !wasCut) throw new Error("somebody else has the identifier");
    if (status === 201) {
      own.push(json.id);
      this.acknowledged.push({ id: json.id, token: tokenOf(body.identifier[0]) });
    }
    return wasCut;
  }

  /** A second identifier for somebody who was created before. */
  async #update(own: string[]): Promise<boolean> {
    const id = own.shift();
    if (id === undefined) return await this.#create(own);
    const { json: patient, wasCut } = await this.#ask(`/fhir/Patient/${id}`);
    const added = { system: "https://fhir.ee/sid/pid/lva/ni", value: randomUUID() };
    const body = JSON.stringify({ ...patient, identifier: [...patient.identifier, added] });
    const answer = await this.#ask(`/fhir/Patient/${id}`, { method: "PUT", headers: FHIR, body });
    this.acknowledged.push({ id, token: tokenOf(added) });
    return wasCut || answer.wasCut;
  }

  async #ask(path: string, init: RequestInit = {}, expected = 200, other = expected) {
    const { status, text, wasCut } = await this.#replicas.ask(path, init);
    if (status !== expected && status !== other) throw new Error(`${status} ${text.slice(0, 300)}`);
    return { json: JSON.parse(text), status, wasCut };
  }
}

function tokenOf(identifier: { readonly system: string; readonly value: string } | undefined): string {
  return `${identifier?.system}|${identifier?.value}`;
}

function newPatient() {
  return {
    resourceType: "Patient",
    meta: { profile: ["https://fhir.ee/mpi/StructureDefinition/ee-mpi-patient-verified"] },
    identifier: [{ system: "https://fhir.ee/sid/pid/fin/ni", value: randomUUID() }],
    name: [{ use: "official", family: "Virtanen", given: ["Aino"] }],
    gender: "female",
    birthDate: "1952-10-13",
  };
}

function anyOf<T>(all: readonly T[]): T {
  return all[Math.floor(Math.random() * all.length)] as T;
}
