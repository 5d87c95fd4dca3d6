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
  /** Milliseconds since whoever answered began to serve. */
  readonly served: number;
}

interface PhaseReport {
  readonly requests: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  /** The slowest few, in a line each. */
  readonly slowest: readonly string[];
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
  report(): Record<string, PhaseReport> {
    const phases = Map.groupBy(this.#measured, ({ phase }) => phase);
    return Object.fromEntries([...phases].map(([phase, measured]) => [phase, reportOf(measured)]));
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
        await this.#request(kind, own);
      } catch (cause) {
        this.failures.push(`${phase} ${kind}: ${cause}`);
      }
      await delay(Math.max(0, interval - (performance.now() - begun)));
    }
  }

  async #request(kind: Kind, own: string[]): Promise<void> {
    const known = anyOf(this.#known);
    switch (kind) {
      case "read":
        await this.#ask("read", `/fhir/Patient/${known.id}`);
        return;
      case "search": {
        const path = `/fhir/Patient?identifier=${encodeURIComponent(known.token)}`;
        const { json } = await this.#ask("search", path);
        if (json.total !== 1 || json.entry[0].resource.id !== known.id)
          throw new Error(`found ${json.total}`);
        return;
      }
      case "create":
        return await this.#create(own);
      case "update":
        return await this.#update(own);
    }
  }

  async #create(own: string[]): Promise<void> {
    const body = newPatient();
    const init = { method: "POST", headers: FHIR, body: JSON.stringify(body) };
    const { json, status, wasCut } = await this.#ask("create", "/fhir/Patient", init, 201, 409);
    // Sent again after its replica was killed, it may have been stored already.
    if (status === 409 && !wasCut) throw new Error("somebody else has the identifier");
    if (status === 201) {
      own.push(json.id);
      this.acknowledged.push({ id: json.id, token: tokenOf(body.identifier[0]) });
    }
  }

  /** A second identifier for somebody who was created before. */
  async #update(own: string[]): Promise<void> {
    const id = own.shift();
    if (id === undefined) return await this.#create(own);
    const { json: patient } = await this.#ask("read", `/fhir/Patient/${id}`);
    const added = { system: "https://fhir.ee/sid/pid/lva/ni", value: randomUUID() };
    const body = JSON.stringify({ ...patient, identifier: [...patient.identifier, added] });
    await this.#ask("update", `/fhir/Patient/${id}`, { method: "PUT", headers: FHIR, body });
    this.acknowledged.push({ id, token: tokenOf(added) });
  }

  async #ask(kind: Kind, path: string, init: RequestInit = {}, expected = 200, other = expected) {
    const phase = this.phase;
    const begun = performance.now();
    const { replica, status, text, wasCut } = await this.#replicas.ask(path, init);
    const ended = performance.now();
    if (status !== expected && status !== other) throw new Error(`${status} ${text.slice(0, 300)}`);
    // One that was begun twice says nothing of how long one takes.
    if (wasCut) this.cut++;
    else this.#measured.push({ kind, phase, milliseconds: ended - begun, served: begun - replica.started });
    return { json: JSON.parse(text), status, wasCut };
  }
}

function reportOf(measured: readonly Measured[]): PhaseReport {
  const sorted = measured.toSorted((a, b) => a.milliseconds - b.milliseconds);
  const at = (part: number) => round(sorted[Math.floor((sorted.length - 1) * part)]?.milliseconds ?? 0);
  const slowest = sorted
    .slice(-5)
    .reverse()
    .map(
      ({ kind, milliseconds, served }) =>
        `${round(milliseconds)} ${kind}, served for ${round(served / 1000)} s`,
    );
  return { requests: sorted.length, p50: at(0.5), p95: at(0.95), p99: at(0.99), slowest };
}

function round(figure: number): number {
  return Math.round(figure * 10) / 10;
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
