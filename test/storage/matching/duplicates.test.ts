import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { MpiError } from "../../../src/errors/index.ts";
import { inventPeople } from "../../../src/invented-people/index.ts";
import type { JobProgress, JobRun } from "../../../src/jobs/index.ts";
import {
  confirmDuplicate,
  type DuplicateState,
  dismissDuplicate,
  duplicateScan,
  listDuplicates,
} from "../../../src/matching/index.ts";
import { type MatchingUnderTest, openMatching } from "./matching-under-test.ts";

let opened: MatchingUnderTest;
/** Pairs of records of one person, by id. */
const pairs: [string, string][] = [];

const PEOPLE = [
  { family: "Bondarenko", given: ["Iryna"], birthDate: "1971-04-09" },
  { family: "Kowalczyk", given: ["Zofia", "Ewa"], birthDate: "1983-12-01" },
  { family: "Petrauskaitė", given: ["Rūta"], birthDate: "1994-07-30" },
];

beforeAll(async () => {
  opened = await openMatching();
  await opened.load(inventPeople(7, 0, 250));
  for (const { family, given, birthDate } of PEOPLE) {
    const name = [{ use: "official", family, given }];
    const contact = { telecom: [{ system: "email", value: `${family.length}@mail.example` }], birthDate };
    const one = await opened.add(["ukr/ppn"], { name, ...contact });
    const mistyped = [{ use: "official", family: `${family}k`, given: given.slice(0, 1) }];
    pairs.push([one, await opened.add(["deu/ppn"], { name: mistyped, ...contact })]);
  }
});

afterAll(async () => {
  await opened.close();
});

interface Run extends JobRun {
  readonly reports: JobProgress[];
}

function run(checkpoint?: string, signal = new AbortController().signal): Run {
  const reports: JobProgress[] = [];
  return {
    signal,
    checkpoint,
    reports,
    report: async (progress) => void reports.push(progress),
    problem: (error) => Promise.reject(error),
  };
}

const scan = () =>
  duplicateScan({ store: opened.matches, duplicates: opened.duplicates, now: () => new Date() });
const review = () => ({ linkage: opened.linkage, duplicates: opened.duplicates });

const open = () => listed("open");

async function listed(state: DuplicateState): Promise<string[][]> {
  const { duplicates } = await listDuplicates(review(), { state, pageSize: 100, pageToken: "" });
  return duplicates.map(({ id, otherId }) => [String(id), String(otherId)]);
}

describe("a scan for duplicates", () => {
  it("finds the planted pairs, tells how far it is, and finds the same again", async () => {
    const first = run();
    await scan().run(first);
    const found = await open();
    expect(found).toEqual(expect.arrayContaining(pairs));
    expect(first.reports.map(({ done }) => done)).toEqual([200, 256]);
    expect(first.reports.at(-1)).toMatchObject({ total: 256 });
    await scan().run(run());
    expect(await open()).toEqual(found);
  });

  it("goes on where an earlier one was interrupted", async () => {
    const whole = await open();
    const first = run();
    await scan().run(first);
    const [report] = first.reports;
    const second = run(report?.checkpoint);
    await scan().run(second);
    expect(second.reports.map(({ done }) => done)).toEqual([256]);
    expect(await open()).toEqual(whole);
  });

  it("keeps what it found behind a checkpoint of a process whose clock was ahead", async () => {
    const whole = await open();
    await scan().run(run(`${new Date(Date.now() + 3_600_000).toISOString()} 0 0`));
    expect(await open()).toEqual(whole);
    await opened.database.$executeRaw`
      UPDATE possible_duplicate SET found_at = found_at - interval '1 hour' WHERE state = 'open'`;
  });

  it("passes by a record that does not open, which is a problem of the job that names its patient", async () => {
    const whole = await open();
    const broken = await opened.add(["fin/ni"], { birthDate: "1912-12-12" });
    const name = [{ use: "official", family: "Zvirbulis", given: ["Andris"] }];
    const behind = () => opened.add(["lva/ppn"], { name, birthDate: "1933-01-02", telecom: [], address: [] });
    const pair = [await behind(), await behind()];
    const spoil = () => opened.database.$executeRaw`
      UPDATE identifier_value SET ciphertext = set_bit(ciphertext, 300, 1 - get_bit(ciphertext, 300))
      WHERE owner = ${BigInt(broken)}`;
    await spoil();
    const problems: MpiError[] = [];
    const passing = { ...run(), problem: async (error: MpiError) => void problems.push(error) };
    await scan().run(passing);
    await spoil();
    expect(await open()).toEqual(expect.arrayContaining([...whole, pair]));
    expect(problems).toMatchObject([
      {
        message: "INDEX_DECRYPTION_FAILED",
        issues: [{ expression: [`Patient.where(id = '${broken}')`] }],
      },
    ]);
    expect(passing.reports.at(-1)).toMatchObject({ done: 259, total: 259 });
  });

  it("ends when it is cancelled", async () => {
    const cancelled = AbortSignal.abort(new Error("cancelled"));
    await expect(scan().run(run(undefined, cancelled))).rejects.toThrow("cancelled");
  });

  it("drops an open pair that is no pair any more", async () => {
    const name = [{ use: "official", family: "Ozoliņš", given: ["Edgars"] }];
    const one = await opened.add(["lva/ppn"], { name, birthDate: "1944-01-02", telecom: [], address: [] });
    const other = await opened.add(["lva/ppn"], { name, birthDate: "1944-01-02", telecom: [], address: [] });
    await scan().run(run());
    expect(await open()).toContainEqual([one, other]);
    const current = await opened.read(other);
    await opened.store.replace(current, { ...current, birthDate: "1999-09-09" }, new Date());
    await scan().run(run());
    expect(await open()).not.toContainEqual([one, other]);
  });
});

describe("the review", () => {
  it("lists by pages, the most likely first", async () => {
    const first = await listDuplicates(review(), { state: "open", pageSize: 2, pageToken: "" });
    const rest = await listDuplicates(review(), {
      state: "open",
      pageSize: 100,
      pageToken: first.nextPageToken,
    });
    const all = [...first.duplicates, ...rest.duplicates];
    expect(first.duplicates).toHaveLength(2);
    expect(all).toHaveLength(first.total);
    expect(all.map(({ score }) => score)).toEqual(all.map(({ score }) => score).toSorted((a, b) => b - a));
    expect(new Set(all.map(({ id, otherId }) => `${id} ${otherId}`)).size).toBe(first.total);
  });

  it("refuses a page token that is none, and a pair that was not found", async () => {
    const wrong = { state: "open", pageSize: 2, pageToken: "x" } as const;
    await expect(listDuplicates(review(), wrong)).rejects.toThrow("PARAMETER_MALFORMED");
    await expect(dismissDuplicate(review(), "1", "999999")).rejects.toThrow("PATIENT_NOT_FOUND");
    await expect(confirmDuplicate(review(), "1", "x", "1.5.0")).rejects.toThrow("PATIENT_NOT_FOUND");
  });

  it("keeps a dismissed pair dismissed, whichever of the two is named first", async () => {
    const [one, other] = pairs[0] ?? ["", ""];
    expect(await dismissDuplicate(review(), other, one)).toMatchObject({ state: "dismissed" });
    await scan().run(run());
    expect(await open()).not.toContainEqual([one, other]);
  });

  it("links a confirmed pair, and notes it when that was all that was missing", async () => {
    const [source, target] = pairs[1] ?? ["", ""];
    const linked = await confirmDuplicate(review(), source, target, "1.5.0");
    expect(linked).toMatchObject({ id: target, link: [{ type: "replaces" }] });
    expect(await confirmDuplicate(review(), source, target, "1.5.0")).toEqual(linked);
    const { duplicates } = await listDuplicates(review(), { state: "confirmed", pageSize: 0, pageToken: "" });
    expect(duplicates.map(({ id }) => String(id))).toEqual([source]);
    await scan().run(run());
    expect(await open()).not.toContainEqual([source, target]);
  });

  it("does not call two people whom a link calls one (DUPLICATES_LINKED)", async () => {
    const [source, target] = pairs[1] ?? ["", ""];
    await expect(dismissDuplicate(review(), source, target)).rejects.toThrow("DUPLICATES_LINKED");
    expect(await listed("confirmed")).toEqual([[source, target]]);
  });

  it("does not call two people whom somebody links while it looks whether they are linked", async () => {
    const [one, other] = pairs[2] ?? ["", ""];
    const { store } = opened.index;
    const linkedMeanwhile: typeof store.group = async (id) => {
      const group = await store.group(id);
      if (group.length === 1) await opened.link(one, other);
      return group;
    };
    const patients = { ...opened.index, store: { ...store, group: linkedMeanwhile } };
    const slow = { ...review(), linkage: { ...opened.linkage, patients } };
    await expect(dismissDuplicate(slow, one, other)).rejects.toThrow("DUPLICATES_LINKED");
    expect(await listed("dismissed")).not.toContainEqual([one, other]);
    await opened.unlink(one, other);
    await scan().run(run());
    expect(await open()).toContainEqual([one, other]);
  });

  it("opens a confirmed pair again that a scan finds unlinked, and takes another decision then", async () => {
    const [source, target] = pairs[1] ?? ["", ""];
    await opened.unlink(source, target);
    await scan().run(run());
    expect(await open()).toContainEqual([source, target]);
    const { duplicates } = await listDuplicates(review(), { state: "open", pageSize: 100, pageToken: "" });
    expect(duplicates.filter(({ reviewedAt }) => reviewedAt)).toEqual([]);
    expect(await dismissDuplicate(review(), source, target)).toMatchObject({ state: "dismissed" });
  });

  it("does not list as open who was linked since, nor counts them, until a scan finds them linked no more", async () => {
    const [one, other] = pairs[2] ?? ["", ""];
    const above = await opened.add(["ukr/ppn"]);
    expect(await open()).toContainEqual([one, other]);
    const { total } = await listDuplicates(review(), { state: "open", pageSize: 1, pageToken: "" });
    await opened.link(one, above);
    expect(await open()).toContainEqual([one, other]);
    await opened.link(other, above);
    expect(await open()).not.toContainEqual([one, other]);
    expect(await listDuplicates(review(), { state: "open", pageSize: 1, pageToken: "" })).toMatchObject({
      total: total - 1,
    });
    await scan().run(run());
    expect(await open()).not.toContainEqual([one, other]);
    await opened.unlink(other, above);
    await scan().run(run());
    expect(await open()).toContainEqual([one, other]);
  });

  it("does not list whom a scan looked at before they were linked", async () => {
    const [one, other] = pairs[2] ?? ["", ""];
    const lookedAt = new Date();
    await opened.link(other, one);
    const found = { id: BigInt(one), otherId: BigInt(other), score: 0.8, grade: "probable" } as const;
    await opened.duplicates.keep([found], lookedAt);
    expect(await open()).not.toContainEqual([one, other]);
    await opened.unlink(other, one);
  });

  it("refuses what the linkage refuses, and leaves the pair open", async () => {
    const estonian = async () =>
      await opened.add(["est/ni"], {
        name: PEOPLE[2] ? [{ family: "Tamm", given: ["Anu"] }] : [],
        birthDate: "1961-01-31",
      });
    const [one, other] = [await estonian(), await estonian()];
    await scan().run(run());
    await expect(confirmDuplicate(review(), one, other, "1.5.0")).rejects.toThrow(
      "SECONDARY_PATIENT_ESTONIAN",
    );
    expect(await open()).toContainEqual([one, other]);
  });
});
