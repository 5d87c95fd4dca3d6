import { timestampDate } from "@bufbuild/protobuf/wkt";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Patient } from "#proto/patientindex/v1/patient_pb.ts";
import { readLinkGroup } from "../../../src/linkage/index.ts";
import {
  listPatientChanges,
  listPatientHistory,
  readPatientVersion,
  searchPatients,
  updatePatient,
} from "../../../src/patients/index.ts";
import { PID } from "../../patients/examples.ts";
import { type LinkageUnderTest, linksOf, openLinkage, valuesOf } from "./linked-patients.ts";

let opened: LinkageUnderTest;

beforeAll(async () => {
  opened = await openLinkage();
});

afterAll(async () => {
  await opened.close();
});

describe("the view of a group", () => {
  it("is a primary that replaces all others, and secondaries that it replaces", async () => {
    const [a, b, c, d] = await patients(4);
    await opened.link(a, b);
    await opened.link(c, d);
    const target = await opened.link(b, d);
    expect(linksOf(target)).toEqual([a, b, c].map((id) => `replaces ${id}`));
    for (const id of [a, b, c]) expect(linksOf(await opened.read(id))).toEqual([`replaced-by ${d}`]);
  });

  it("lists the identifiers of the whole group at the primary, and nobody else's at a secondary", async () => {
    const [a, b, c] = [
      await opened.add(["fin/ni"]),
      await opened.add(["swe/ni"]),
      await opened.add(["nor/ni"]),
    ];
    const own = await Promise.all([a, b, c].map((id) => opened.read(id)));
    await opened.link(a, b);
    await opened.link(b, c);
    const [valueA, valueB, valueC] = own.flatMap(valuesOf);
    expect(valuesOf(await opened.read(c))).toEqual([valueC, valueB, valueA]);
    expect(valuesOf(await opened.read(b))).toEqual([valueB]);
    expect(valuesOf(await opened.read(a))).toEqual([valueA]);
  });

  it("ends the identifier that came beside another of its system, in the primary's view alone", async () => {
    const [a, b] = [await opened.add(["fin/ni", "swe/ni"]), await opened.add(["fin/ni"])];
    const before = Date.now();
    const target = await opened.link(a, b);
    const [own, ended, other] = target.identifier;
    expect([own?.system, own?.period]).toEqual([`${PID}/fin/ni`, undefined]);
    expect(ended?.system).toBe(`${PID}/fin/ni`);
    expect(new Date(ended?.period?.end ?? "").getTime()).toBeGreaterThanOrEqual(before);
    expect(ended?.period?.end).toMatch(/T.*\+0[23]:00$/);
    expect([other?.system, other?.period]).toEqual([`${PID}/swe/ni`, undefined]);
    expect((await opened.read(a)).identifier.every(({ period }) => period === undefined)).toBe(true);
  });

  it("can be put back as it was read, by the primary and by a secondary", async () => {
    const [a, b] = await patients(2);
    await opened.link(a, b);
    for (const id of [a, b]) {
      const read = await opened.read(id);
      const put = await updatePatient(opened.index, id, read);
      expect(contentOf(put)).toEqual(contentOf(read));
      expect(contentOf(await opened.read(id))).toEqual(contentOf(read));
    }
  });

  it("shows what a secondary is given, with a new version of the primary", async () => {
    const [a, b] = await patients(2);
    await opened.link(a, b);
    const secondary = await opened.read(a);
    const added = { system: `${PID}/nor/ni`, value: `N-${a}` };
    await updatePatient(opened.index, a, {
      ...secondary,
      identifier: [
        ...secondary.identifier,
        { ...secondary.identifier[0], ...added } as Patient["identifier"][number],
      ],
    });
    const primary = await opened.read(b);
    expect(primary.meta?.versionId).toBe("3");
    expect(valuesOf(primary)).toContain(added.value);
    expect(valuesOf(await readPatientVersion(opened.index, b, "2"))).not.toContain(added.value);
  });
});

describe("unlinking", () => {
  it("undoes linking, whichever way round the pair is given", async () => {
    const [a, b, c] = await patients(3);
    await opened.link(a, b);
    const before = await Promise.all([a, b, c].map(view));
    for (const [one, other] of [
      [b, c],
      [c, b],
    ] as const) {
      await opened.link(b, c);
      const released = await opened.unlink(one, other);
      expect(released.id).toBe(b);
      expect(await Promise.all([a, b, c].map(view))).toEqual(before);
    }
  });

  it("releases a patient with all below it", async () => {
    const [a, b, c, d] = await patients(4);
    await opened.link(a, b);
    await opened.link(b, c);
    await opened.link(c, d);
    const released = await opened.unlink(d, b);
    expect(released.id).toBe(b);
    expect(linksOf(released)).toEqual([`replaces ${a}`]);
    expect(linksOf(await opened.read(a))).toEqual([`replaced-by ${b}`]);
    expect(linksOf(await opened.read(d))).toEqual([`replaces ${c}`]);
  });

  it("takes what links show and what was linked directly, nothing else", async () => {
    const [a, b, c, d] = await patients(4);
    await opened.link(a, b);
    await opened.link(b, c);
    await opened.link(d, c);
    const refused = { message: "PATIENTS_NOT_LINKED" };
    await expect(opened.unlink(a, d)).rejects.toMatchObject(refused);
    await expect(opened.unlink(b, d)).rejects.toMatchObject(refused);
    await expect(opened.unlink(a, a)).rejects.toMatchObject(refused);
    expect((await opened.unlink(a, b)).id).toBe(a);
    expect((await opened.unlink(c, b)).id).toBe(b);
  });
});

describe("versions", () => {
  it("are new for the pair, the roots and all whose root changes, and for nobody else", async () => {
    const [a, b, c, d, e] = await patients(5);
    await opened.link(a, b);
    await opened.link(c, d);
    await opened.link(e, d);
    const before = await Promise.all([a, b, c, d, e].map(versionOf));
    await opened.link(b, c);
    const after = await Promise.all([a, b, c, d, e].map(versionOf));
    expect(after.map((version, at) => version - (before[at] ?? 0))).toEqual([1, 1, 1, 1, 0]);
  });

  it("show the links that were at their time, in reads, in the history and in the feed", async () => {
    const [a, b, c] = await patients(3);
    await opened.link(a, c);
    await opened.link(b, c);
    await opened.unlink(a, c);
    const expected = [[], [`replaces ${a}`], [`replaces ${a}`, `replaces ${b}`], [`replaces ${b}`]];
    for (const [at, links] of expected.entries()) {
      const version = await readPatientVersion(opened.index, c, String(at + 1));
      expect(linksOf(version)).toEqual(links);
      expect(version.identifier).toHaveLength(links.length + 1);
    }
    const page = { pageSize: 100, pageToken: "", oldestFirst: true };
    const history = await listPatientHistory(opened.index, c, page);
    expect(history.changes.map(({ patient }) => linksOf(patient))).toEqual(expected);
    const feed = await listPatientChanges(opened.index, { ...page, oldestFirst: false });
    const ofC = feed.changes.filter(({ patient }) => patient.id === c).map(({ patient }) => linksOf(patient));
    expect(ofC).toEqual(expected.toReversed());
  });

  it("are later than all that they follow, even when the clock is not", async () => {
    const [a, b] = await patients(2);
    const future = new Date(Date.now() + 3_600_000);
    const current = await opened.store.read(BigInt(a));
    if (!current) throw new Error("The patient is gone.");
    await opened.store.replace(current.patient, current.patient, future);
    const target = await opened.link(a, b);
    const at = target.meta?.lastUpdated && timestampDate(target.meta.lastUpdated).getTime();
    expect(at).toBe(future.getTime() + 1);
    expect(linksOf(target)).toEqual([`replaces ${a}`]);
  });
});

describe("a search by an identifier", () => {
  it("finds the whole group by that of any member, once, and counts all of it", async () => {
    const [a, b, c] = await patients(3);
    const values = (await Promise.all([a, b, c].map((id) => opened.read(id)))).flatMap(valuesOf);
    await opened.link(a, b);
    await opened.link(b, c);
    for (const value of values) {
      const found = await search(["identifier", `${PID}/fin/ni|${value}`]);
      expect(found.total).toBe(3);
      expect(found.patients.map(({ id }) => id).sort()).toEqual([a, b, c].sort());
    }
    const all = values.map((value) => `${PID}/fin/ni|${value}`).join(",");
    expect((await search(["patient-identifier", all])).total).toBe(3);
    expect((await search(["patient-identifier", all], ["_id", b])).patients.map(linksOf)).toEqual([
      [`replaced-by ${c}`],
    ]);
    const second = await search(["patient-identifier", all], ["_count", "2"], ["_page", "2"]);
    expect([second.total, second.patients.length]).toEqual([3, 1]);
  });

  it("has too many matches by those who hold one, not by their groups", async () => {
    const [a, b, c] = await patients(3);
    const [first = "", second = ""] = (await Promise.all([a, b].map((id) => opened.read(id)))).flatMap(
      valuesOf,
    );
    await opened.link(a, c);
    await opened.link(b, c);
    const page = { sort: [], page: 1, size: 20, maximum: 1 };
    const found = await opened.store.search({ identifiers: [[{ value: first }]] }, page);
    expect(found).toMatchObject({ total: 3 });
    const both = { identifiers: [[{ value: first }, { value: second }]] };
    expect(await opened.store.search(both, page)).toBe("too-many");
    expect(await opened.store.search({ ...both, ids: [BigInt(c)] }, page)).toMatchObject({ total: 1 });
  });

  it("finds the patient alone again after the unlinking, and only holders are holders", async () => {
    const [a, b] = await patients(2);
    const [value = ""] = valuesOf(await opened.read(a));
    await opened.link(a, b);
    expect(await opened.store.holders([{ value }])).toEqual([BigInt(a)]);
    await opened.unlink(a, b);
    const found = await search(["identifier", `${PID}|${value}`]);
    expect(found.patients.map(({ id }) => id)).toEqual([a]);
  });
});

describe("a group", () => {
  it("is listed as a tree, by any of its patients, now and as it was", async () => {
    const [a, b, c] = await patients(3);
    await opened.link(a, b);
    const between = timeOf(await opened.read(b));
    await opened.link(b, c);
    expect(await edges(a)).toEqual([c, `${a}>${b}`, `${b}>${c}`]);
    expect(await edges(c)).toEqual(await edges(a));
    expect(await edges(a, between)).toEqual([b, `${a}>${b}`]);
    expect(await edges(c, between)).toEqual([c]);
    await opened.unlink(c, b);
    expect(await edges(c)).toEqual([c]);
    expect(await edges(a)).toEqual([b, `${a}>${b}`]);
    await expect(edges(a, new Date(0))).rejects.toMatchObject({ message: "HISTORY_ENTRY_NOT_FOUND" });
    await expect(edges("999999")).rejects.toMatchObject({ message: "PATIENT_RESOURCE_NOT_FOUND" });
  });
});

describe("contract 1.1.1", () => {
  it("makes the source inactive, and its release active again in either version", async () => {
    const [a, b] = await patients(2);
    for (const version of ["1.1.1", "1.5.0"] as const) {
      await opened.link(a, b, "1.1.1");
      expect((await opened.read(a)).active).toBe(false);
      expect((await search(["_id", a], ["active", "false"])).total).toBe(1);
      expect((await opened.unlink(a, b, version)).active).toBe(true);
    }
  });

  it("has a source that a PUT has said nothing of since active again when 1.5.0 releases it", async () => {
    const [a, b] = await patients(2);
    await opened.link(a, b, "1.1.1");
    const { active: _, ...unsaid } = await opened.read(a);
    await updatePatient(opened.index, a, unsaid);
    expect((await opened.read(a)).active).toBeUndefined();
    expect((await opened.unlink(a, b, "1.5.0")).active).toBe(true);
    expect((await search(["_id", a], ["active", "true"])).total).toBe(1);
  });
});

async function patients(count: 2): Promise<[string, string]>;
async function patients(count: 3): Promise<[string, string, string]>;
async function patients(count: 4): Promise<[string, string, string, string]>;
async function patients(count: 5): Promise<[string, string, string, string, string]>;
async function patients(count: number): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < count) ids.push(await opened.add());
  return ids;
}

/** What a patient shows of itself and its group, without versions. */
async function view(id: string): Promise<unknown> {
  return contentOf(await opened.read(id));
}

function contentOf({ identifier, link, active, name }: Patient): unknown {
  return { identifier, link, active, name };
}

async function versionOf(id: string): Promise<number> {
  return Number((await opened.read(id)).meta?.versionId);
}

function timeOf({ meta }: Patient): Date {
  return meta?.lastUpdated ? timestampDate(meta.lastUpdated) : new Date(0);
}

async function edges(id: string, at?: Date): Promise<string[]> {
  const { primaryId, links } = await readLinkGroup(opened.linkage, id, at);
  return [String(primaryId), ...links.map((link) => `${link.secondaryId}>${link.primaryId}`)];
}

function search(...parameters: [name: string, value: string][]) {
  const given = parameters.map(([name, value]) => ({ $typeName: TYPE, name, value }) as const);
  return searchPatients(opened.index, given, false);
}

const TYPE = "patientindex.v1.SearchParameter";
