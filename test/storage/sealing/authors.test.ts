import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Author } from "#proto/patientindex/v1/author_pb.ts";
import { Accesses } from "../../../src/call/accesses.ts";
import { writtenByRegister } from "../../../src/call/author.ts";
import type { Caller } from "../../../src/call/caller.ts";
import { underCall } from "../../../src/call/current-call.ts";
import { keyOf, NOW, newPatient, observations, relatedPersons } from "../dependents/stores.ts";
import { type LinkageUnderTest, openLinkage } from "../linkage/linked-patients.ts";
import { somebody } from "../patients/store.ts";

const DOCTOR: Caller = {
  personalCode: "38001085718",
  name: "Mari Maasikas",
  author: "47101010033",
  organization: "90009016",
  role: "doctor",
  application: "wards",
  scopes: [],
  represented: undefined,
  issue: "käsitlus 17",
};
const BY_DOCTOR = {
  personalCode: "47101010033",
  organization: "90009016",
  role: "doctor",
  reason: "käsitlus 17",
  register: "",
};
const PAGE = { size: 20, oldestFirst: true };

let opened: LinkageUnderTest;

beforeAll(async () => {
  opened = await openLinkage();
});

afterAll(async () => {
  await opened.close();
});

function asDoctor<Result>(work: () => Result): Result {
  const call = { headers: new Headers(), requestId: "r", version: "1.5.0", deadline: undefined } as const;
  return underCall({ ...call, method: "Tests/Write", caller: DOCTOR, accesses: new Accesses() }, work);
}

async function authorsOf(id: string): Promise<(Author | undefined)[]> {
  const history = await opened.store.history(BigInt(id), PAGE);
  return (history?.changes ?? []).map(({ author }) => author);
}

describe("a version", () => {
  it("has the author of the call that wrote it, with role, organisation and reason", async () => {
    const created = await asDoctor(() => opened.store.create(somebody(), NOW));
    const replaced = await opened.store.replace(created, { ...created, active: false }, NOW);
    expect(replaced).not.toBe("stale");
    const [first, second] = await authorsOf(created.id ?? "");
    expect(first).toMatchObject(BY_DOCTOR);
    expect(second).toBeUndefined();
  });

  it("has the register as its author that made it, whoever asked", async () => {
    const register = "https://rahvastikuregister.ee";
    const { id = "" } = await asDoctor(() =>
      writtenByRegister(register, () => opened.store.create(somebody(), NOW)),
    );
    const [author] = await authorsOf(id);
    expect(author).toMatchObject({ register, personalCode: "", organization: "" });
  });

  it("has its author in the change feed too", async () => {
    const { id } = await asDoctor(() => opened.store.create(somebody(), NOW));
    const { changes } = await opened.store.changes({ size: 100, oldestFirst: false }, new Date());
    expect(changes.find(({ patient }) => patient.id === id)?.author).toMatchObject(BY_DOCTOR);
  });

  it("has no name of its author in the clear", async () => {
    const { id = "" } = await asDoctor(() => opened.store.create(somebody(), NOW));
    const [row] = await opened.database.$queryRaw<{ author: Uint8Array }[]>`
      SELECT author FROM patient_history WHERE id = ${BigInt(id)}`;
    const stored = Buffer.from(row?.author ?? []);
    expect(stored.length).toBeGreaterThan(28);
    for (const text of [DOCTOR.author, DOCTOR.organization, "käsitlus"]) {
      expect(stored.includes(text)).toBe(false);
    }
  });

  it("does not open with the author of another patient's version", async () => {
    const ids: bigint[] = [];
    for (let n = 0; n < 2; n++) {
      ids.push(BigInt((await asDoctor(() => opened.store.create(somebody(), NOW))).id ?? ""));
    }
    await opened.database.$executeRaw`
      UPDATE patient_history SET author = (SELECT author FROM patient_history WHERE id = ${ids[0]})
      WHERE id = ${ids[1]}`;
    await expect(authorsOf(String(ids[1]))).rejects.toThrow("INDEX_DECRYPTION_FAILED");
    expect(await authorsOf(String(ids[0]))).toMatchObject([BY_DOCTOR]);
  });
});

describe("a link and its end", () => {
  it("show who, when and why in the history of every patient whose group they change", async () => {
    const [root, source, below] = [await opened.add(), await opened.add(), await opened.add()];
    await opened.link(below, source);
    await asDoctor(() => opened.link(source, root));
    await asDoctor(() => opened.unlink(source, root));
    expect(await authorsOf(root)).toMatchObject([undefined, BY_DOCTOR, BY_DOCTOR]);
    expect(await authorsOf(source)).toMatchObject([undefined, undefined, BY_DOCTOR, BY_DOCTOR]);
    expect(await authorsOf(below)).toMatchObject([undefined, undefined, BY_DOCTOR, BY_DOCTOR]);
  });

  it("changes of a member show their author at the primary too, which shows something new", async () => {
    const [root, member] = [await opened.add(), await opened.add()];
    await opened.link(member, root);
    const current = await opened.read(member);
    const stored = await opened.store.read(BigInt(member));
    const identifier = [...(stored?.patient.identifier ?? []), ...somebody().identifier];
    const { patient = current } = stored ?? {};
    await asDoctor(() => opened.store.replace(patient, { ...patient, identifier }, new Date()));
    expect((await authorsOf(root)).at(-1)).toMatchObject(BY_DOCTOR);
  });
});

describe.each([relatedPersons, observations])("a version of $name", (type) => {
  it("has its author, and so has its deletion", async () => {
    const store = type.open(opened) as ReturnType<typeof relatedPersons.open>;
    const { number } = await newPatient(opened);
    const example = type.example("A-1") as ReturnType<typeof relatedPersons.example>;
    const created = await asDoctor(() => store.create(number, NOW, () => example));
    const key = keyOf(created);
    await asDoctor(() => store.delete(key, NOW, () => undefined));
    const history = await store.history(key, PAGE);
    expect(history?.changes.map(({ author }) => author)).toMatchObject([BY_DOCTOR, BY_DOCTOR]);
  });
});
