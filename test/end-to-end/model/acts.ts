import fc from "fast-check";
import { expect } from "vitest";
import { type HttpAnswer, send } from "../../gateway/http-client.ts";
import { inventedPatient } from "../../gateway/invented-patient.ts";
import type { Identifier, IndexModel, View } from "./index-model.ts";

const PID = "https://fhir.ee/sid/pid";

/** One request at the index, and what comes of it in the model. */
type Act = (index: ModelledIndex) => Promise<void>;

/** An index, the model of it, and where the index is: such as http://127.0.0.1:41234/fhir. */
export interface ModelledIndex {
  readonly model: IndexModel;
  readonly base: string;
}

// biome-ignore lint/suspicious/noExplicitAny: a resource as JSON
type Json = any;

const place = fc.nat({ max: 9 });
const places = fc.tuple(place, place);
const birthDate = fc.constantFrom("1950-05-05", "1950-05", "1951", "1980-12-31");
/** Few values, so that patients have the same in several systems. */
const identifier: fc.Arbitrary<Identifier> = fc.record(
  {
    system: fc.constantFrom("fin/ni", "fin/ppn", "nor/ni", "swe/cz").map((type) => `${PID}/${type}`),
    value: fc.constantFrom("A1", "a1", "B,2", "C|3", "D\\4", "E$5", "F6"),
    period: fc.constantFrom({ end: "2019-05-01" }, { end: "2099-12-31" }, { start: "2098-01-01" }),
  },
  { requiredKeys: ["system", "value"] },
);

/** Any act, on few patients. */
export const acts: fc.Arbitrary<Act> = fc.oneof(
  { arbitrary: fc.tuple(identifier, birthDate).map(([one, date]) => create(one, date)), weight: 2 },
  { arbitrary: fc.tuple(place, identifier).map(([of, one]) => give(of, one)), weight: 3 },
  { arbitrary: fc.tuple(place, identifier).map(([of, { period }]) => spanFirst(of, period)), weight: 2 },
  { arbitrary: fc.tuple(place, birthDate).map(([of, date]) => bear(of, date)), weight: 1 },
  { arbitrary: places.map(([one, other]) => link(one, other)), weight: 5 },
  { arbitrary: places.map(([one, other]) => unlink(one, other)), weight: 4 },
  {
    arbitrary: fc.tuple(place, identifier, birthDate, fc.boolean()).map((of) => together(...of)),
    weight: 3,
  },
  { arbitrary: fc.tuple(identifier, fc.nat({ max: 2 })).map((of) => search(...of)), weight: 4 },
);

function create(given: Identifier, date: string): Act {
  return async ({ model, base }) => {
    const own = { identifier: [given], birthDate: date };
    const { status, json } = await post(`${base}/Patient`, inventedPatient(own));
    if (model.holderOf(given) !== undefined) return expect(status).toBe(409);
    expect(status).toBe(201);
    model.add(json.id, own);
    expect(shown(json)).toEqual(model.versionsOf(json.id).at(-1));
  };
}

/** Stores somebody with a Finnish code. */
export function store(index: ModelledIndex, value: string): Promise<void> {
  return create({ system: `${PID}/fin/ni`, value }, "1980-12-31")(index);
}

/** Whoever reads, adds to what was read, and puts it back. */
function give(of: number, given: Identifier): Act {
  return async (index) => {
    const { model, base } = index;
    const id = at(model, of);
    const holder = model.holderOf(given);
    // What somebody of the group holds is passed over, or another's: which of them, docs/linkage.md says.
    if (holder !== undefined && model.groupOf(id).includes(holder)) return;
    const current = await read(index, id);
    const body = { ...current, identifier: [...current.identifier, given] };
    const answer = await put(base, body, current.meta.versionId);
    if (holder !== undefined) return expect(answer.status).toBe(409);
    await stored(index, id, withIdentifier(model, id, given), answer);
  };
}

/** The first identifier gets another period, or none; a body without those of others leaves them where they are. */
function spanFirst(of: number, period: Identifier["period"]): Act {
  return async (index) => {
    const { model, base } = index;
    const id = at(model, of);
    const { identifier: own, birthDate: date } = model.ownOf(id);
    const [{ period: _, ...first }, ...rest] = own as [Identifier, ...Identifier[]];
    const next = { identifier: [{ ...first, ...(period && { period }) }, ...rest], birthDate: date };
    await stored(index, id, next, await put(base, inventedPatient({ ...next, id })));
  };
}

function bear(of: number, date: string): Act {
  return async (index) => {
    const id = at(index.model, of);
    const next = { ...index.model.ownOf(id), birthDate: date };
    await stored(index, id, next, await put(index.base, { ...(await read(index, id)), birthDate: date }));
  };
}

function link(one: number, other: number): Act {
  return async ({ model, base }) => {
    const [source, target] = [at(model, one), at(model, other)];
    const { status, json } = await post(`${base}/Patient/$link`, pairOf(source, target));
    if (!model.isFree(source, target)) return expect(status).toBe(source === target ? 400 : 422);
    expect(status).toBe(200);
    model.link(source, target, json.meta.lastUpdated);
    expect(shown(json)).toEqual(model.versionsOf(target).at(-1));
  };
}

function unlink(one: number, other: number): Act {
  return async ({ model, base }) => {
    const [first, second] = [at(model, one), at(model, other)];
    const { status, json } = await post(`${base}/Patient/$unlink`, pairOf(first, second));
    const released = model.releasable(first, second);
    if (released === undefined) return expect(status).toBe(422);
    expect([status, json.id]).toEqual([200, released]);
    model.unlink(first, second);
    expect(shown(json)).toEqual(model.versionsOf(released).at(-1));
  };
}

/** A transaction that gives a patient an identifier and changes its primary, in whatever order. */
function together(of: number, given: Identifier, date: string, isPrimaryFirst: boolean): Act {
  return async (index) => {
    const { model, base } = index;
    const id = at(model, of);
    const root = model.rootOf(id);
    if (root === id || model.holderOf(given) !== undefined) return;
    const [secondary, primary] = [await read(index, id), await read(index, root)];
    const entry = [
      replacement({ ...secondary, identifier: [...secondary.identifier, given] }),
      replacement({ ...primary, birthDate: date }),
    ];
    if (isPrimaryFirst) entry.reverse();
    const { status } = await post(base, { resourceType: "Bundle", type: "transaction", entry });
    expect(status).toBe(200);
    model.replace(root, { ...model.ownOf(root), birthDate: date });
    model.replace(id, withIdentifier(model, id, given));
  };
}

function search({ system, value }: Identifier, levels: number): Act {
  return async ({ model, base }) => {
    const meant = system
      .split("/")
      .slice(0, 7 - levels)
      .join("/");
    const token = `${meant}|${value.replaceAll("\\", "\\\\").replaceAll(",", "\\,").replaceAll("$", "\\$")}`;
    const answer = await send(`${base}/Patient?identifier=${encodeURIComponent(token)}&_count=100`);
    const entries: Json[] = answer.json.entry ?? [];
    const found = model.foundBy(meant, value);
    expect([answer.json.total, entries.map(({ resource }) => resource.id).sort()]).toEqual([
      found.length,
      found.sort(),
    ]);
    for (const { resource } of entries) {
      expect(shown(resource)).toEqual(model.versionsOf(resource.id).at(-1));
    }
  };
}

/** What a resource shows of what the model knows. */
export function shown({ identifier, birthDate, link = [] }: Json): View {
  return {
    identifier: identifier.map(({ system, value, period }: Identifier) => ({
      system,
      value,
      ...(period && { period }),
    })),
    birthDate,
    link: link.map(({ type, other }: Json) => `${type} ${other.reference.replace("Patient/", "")}`),
  };
}

async function stored(
  { model }: ModelledIndex,
  id: string,
  own: Omit<View, "link">,
  { status, json }: HttpAnswer,
): Promise<void> {
  expect([status, json]).toEqual([200, expect.objectContaining({ id })]);
  model.replace(id, own);
  expect(shown(json)).toEqual(model.versionsOf(id).at(-1));
}

function withIdentifier(model: IndexModel, id: string, given: Identifier): Omit<View, "link"> {
  const own = model.ownOf(id);
  return { ...own, identifier: [...own.identifier, given] };
}

function at(model: IndexModel, place: number): string {
  return model.patients[place % model.patients.length] ?? "";
}

async function read({ base }: ModelledIndex, id: string): Promise<Json> {
  return (await send(`${base}/Patient/${id}`)).json;
}

function put(base: string, body: Json, version?: string): Promise<HttpAnswer> {
  const headers = version === undefined ? {} : { "if-match": `W/"${version}"` };
  return send(`${base}/Patient/${body.id}`, { method: "PUT", headers, body: JSON.stringify(body) });
}

function post(url: string, body: Json): Promise<HttpAnswer> {
  return send(url, { method: "POST", body: JSON.stringify(body) });
}

/** Held to the version that was read. */
function replacement(resource: Json): Json {
  const { id, meta } = resource;
  return { resource, request: { method: "PUT", url: `Patient/${id}`, ifMatch: `W/"${meta.versionId}"` } };
}

function pairOf(source: string, target: string): Json {
  const reference = (name: string, id: string) => ({ name, valueReference: { reference: `Patient/${id}` } });
  const parameter = [reference("source-patient", source), reference("target-patient", target)];
  return { resourceType: "Parameters", parameter };
}
