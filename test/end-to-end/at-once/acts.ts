import fc from "fast-check";
import { expect } from "vitest";
import { inventedPatient } from "../../gateway/invented-patient.ts";
import type { Json, Known, WitnessedIndex } from "./witnessed-index.ts";

const PID = "https://fhir.ee/sid/pid";

/** One request of a client, and what must hold of its answer whatever the others do meanwhile. */
export type Act = (index: WitnessedIndex) => Promise<void>;

const place = fc.nat({ max: 6 });
const places = fc.tuple(place, place);
/** Few, so that several want the same. */
const value = fc.constantFrom("S1", "S2", "S3", "S4", "S5", "S6", "S7", "S8");

export const acts: fc.Arbitrary<Act> = fc.oneof(
  { arbitrary: places.map(([one, other]) => link(one, other)), weight: 4 },
  { arbitrary: places.map(([one, other]) => unlink(one, other)), weight: 3 },
  { arbitrary: place.map(put), weight: 2 },
  { arbitrary: fc.tuple(place, value).map(([of, given]) => give(of, given)), weight: 2 },
  { arbitrary: places.map(([one, other]) => together(one, other)), weight: 2 },
  { arbitrary: place.map(search), weight: 3 },
  { arbitrary: place.map(createUnlessThere), weight: 3 },
  { arbitrary: place.map(match), weight: 1 },
);

/** Stores somebody by whose number others find it. */
export async function store(index: WitnessedIndex, number: string): Promise<void> {
  const { status, json } = await index.ask("/Patient", "POST", somebody(number));
  expect(status).toBe(201);
  index.known.push({ id: json.id, value: number });
  index.noteWrite("create", json);
}

function link(one: number, other: number): Act {
  return async (index) => {
    const [source, target] = [at(index, one), at(index, other)];
    const { status, json } = await index.ask("/Patient/$link", "POST", pairOf(source, target));
    expect([200, 400, 422]).toContain(status);
    if (status !== 200) return;
    index.noteLink(source.id, 1);
    index.noteWrite("link", json);
  };
}

function unlink(one: number, other: number): Act {
  return async (index) => {
    const { status, json } = await index.ask(
      "/Patient/$unlink",
      "POST",
      pairOf(at(index, one), at(index, other)),
    );
    expect([200, 422]).toContain(status);
    if (status !== 200) return;
    index.noteLink(json.id, -1);
    index.noteWrite("link", json);
  };
}

/** What was read is put back at its version: the next one is its, or somebody was quicker. */
function put(of: number): Act {
  return async (index) => {
    const { id } = at(index, of);
    const { json } = await index.ask(`/Patient/${id}`);
    const ifMatch = { "if-match": `W/"${json.meta.versionId}"` };
    const answer = await index.ask(`/Patient/${id}`, "PUT", { ...json, birthDate: "1990-01-01" }, ifMatch);
    expect([200, 412]).toContain(answer.status);
    if (answer.status !== 200) return;
    expect(Number(answer.json.meta.versionId)).toBe(Number(json.meta.versionId) + 1);
    index.noteWrite("put", answer.json);
  };
}

/** An identifier of one patient alone, which it keeps. */
function give(of: number, given: string): Act {
  return async (index) => {
    const { id } = at(index, of);
    const patch = [{ op: "add", path: "/identifier/-", value: { system: `${PID}/nor/ni`, value: given } }];
    const { status, json } = await index.ask(`/Patient/${id}`, "PATCH", patch, JSON_PATCH);
    expect([200, 400, 409]).toContain(status);
    if (status === 200) index.noteWrite("patch", json);
  };
}

/** A transaction gives two patients a telephone number, or neither. */
function together(one: number, other: number): Act {
  return async (index) => {
    const pair = [at(index, one), at(index, other)];
    if (one === other) return;
    const telephone = `+3585${String(index.pairs.length).padStart(7, "0")}`;
    index.pairs.push(telephone);
    const entry = pair.map(({ id }) => patchOf(id, telephone));
    const bundle = { resourceType: "Bundle", type: "transaction", entry };
    const { status, json } = await index.ask("", "POST", bundle);
    expect([200, 409]).toContain(status);
    if (status === 200) for (const { resource } of json.entry) index.noteWrite("transaction", resource);
  };
}

/** Whoever holds an identifier is found by it. */
function search(of: number): Act {
  return async (index) => {
    const { id, value: number } = at(index, of);
    const { json } = await index.ask(
      `/Patient?identifier=${encodeURIComponent(`${PID}|${number}`)}&_count=100`,
    );
    expect(json.entry.map(({ resource }: Json) => resource.id)).toContain(id);
  };
}

/** A condition by an identifier means its holder. */
function createUnlessThere(of: number): Act {
  return async (index) => {
    const { id, value: number } = at(index, of);
    const condition = { "if-none-exist": `identifier=${encodeURIComponent(`${PID}|${number}`)}` };
    const { status, json } = await index.ask("/Patient", "POST", somebody(number), condition);
    expect([status, json.id]).toEqual([200, id]);
  };
}

/** A group is shown by its primary alone. */
function match(of: number): Act {
  return async (index) => {
    const { json } = await index.ask("/Patient/$match", "POST", somebody(at(index, of).value));
    const types = json.entry.flatMap(({ resource }: Json) =>
      (resource.link ?? []).map(({ type }: Json) => type),
    );
    expect(types).not.toContain("replaced-by");
  };
}

const JSON_PATCH = { "content-type": "application/json-patch+json" };

function patchOf(id: string, telephone: string): Json {
  const patch = [
    { op: "add", path: "/telecom", value: [{ system: "phone", value: telephone, use: "mobile" }] },
  ];
  const data = Buffer.from(JSON.stringify(patch)).toString("base64");
  const resource = { resourceType: "Binary", contentType: JSON_PATCH["content-type"], data };
  return { resource, request: { method: "PATCH", url: `Patient/${id}` } };
}

function somebody(number: string): Json {
  return inventedPatient({ identifier: [{ system: `${PID}/fin/ni`, value: number }] });
}

function at({ known }: WitnessedIndex, of: number): Known {
  const one = known[of % known.length];
  if (!one) throw new Error("Nobody is stored yet.");
  return one;
}

function pairOf(source: Known, target: Known): Json {
  const reference = (name: string, id: string) => ({ name, valueReference: { reference: `Patient/${id}` } });
  const parameter = [reference("source-patient", source.id), reference("target-patient", target.id)];
  return { resourceType: "Parameters", parameter };
}
