import { createSecretKey, randomBytes } from "node:crypto";
import { create } from "@bufbuild/protobuf";
import { afterEach, describe, expect, it } from "vitest";
import { AuthorSchema } from "#proto/patientindex/v1/author_pb.ts";
import type { Patient } from "#proto/patientindex/v1/patient_pb.ts";
import { MpiError } from "../../../../src/errors/index.ts";
import type { IndexKeys } from "../../../../src/identifier-index/index.ts";
import { writeMessage } from "../../../../src/messages/index.ts";
import { PatientRows } from "../../../../src/storage/patients/loading/rows/patient-rows.ts";
import { RowsThread } from "../../../../src/storage/patients/loading/rows/rows-thread.ts";
import { PID, verifiedPatient } from "../../../patients/examples.ts";

let thread = new RowsThread();
afterEach(async () => {
  await thread.close();
  thread = new RowsThread();
});

function keysOf(encryptionBytes = 32): IndexKeys {
  const encryption = createSecretKey(randomBytes(encryptionBytes));
  return { primary: { keyId: "k1", encryption, hmac: createSecretKey(randomBytes(32)) } };
}

function finn(value: string): Patient {
  return verifiedPatient({ identifier: [{ system: `${PID}/fin/ni`, value }] });
}

/** Two patients of different numbers, and one who has that of the first. */
function people(): Patient[] {
  return [finn("1"), finn("2"), finn("1")];
}

const AUTHOR = create(AuthorSchema, { personalCode: "38010130257", organization: "90001478" });
const WRITTEN_WITH = {
  now: new Date("2026-11-25T22:00:00.000Z"),
  author: writeMessage(AuthorSchema, AUTHOR),
  entry: { key: keysOf().primary, content: Buffer.from("{}") },
};

const PARTS = [
  [{ place: 0, id: 70n }],
  [
    { place: 1, id: 71n },
    { place: 2, id: 72n },
  ],
];

describe("rows of new patients from the thread", () => {
  it("say which identifiers are the same, and ask for each, as they do without it", async () => {
    const keys = keysOf();
    const rows = thread.rowsOf(keys, people());
    const given = await rows.identifiers();
    rows.close();
    const here = new PatientRows(keys, people()).givenIdentifiers();
    expect(given.numbers).toEqual([[0], [1], [0]]);
    expect(given).toEqual({ ...here, taken: { ...here.taken, values: here.taken.values.map(bytes) } });
  });

  it("tell the same number in several systems apart", async () => {
    const systems = ["fin/ni", "fin/ppn", "lva/ni", "fin/ni"].map((system) => `${PID}/${system}`);
    const several = systems.map((system) => verifiedPatient({ identifier: [{ system, value: "1" }] }));
    const rows = thread.rowsOf(keysOf(), several);
    expect((await rows.identifiers()).numbers).toEqual([[0], [1], [2], [0]]);
    rows.close();
  });

  it("are written part by part, those of the identifiers before all else, in the form that they have without it", async () => {
    const keys = keysOf();
    const rows = thread.rowsOf(keys, people());
    const names = await rows.names();
    const written = await Promise.all(rows.written(PARTS, WRITTEN_WITH));
    rows.close();
    const here = new PatientRows(keys, people());
    expect(names).toEqual(here.makeBlocks());
    const [first, ...others] = [
      [here.identifiers(PARTS.flat())],
      ...PARTS.map((part) => here.patients(part, WRITTEN_WITH)),
    ];
    // Identifiers are hashed, which is the same each time; what is sealed has as many bytes each time.
    expect(written[0]).toEqual(first?.map((one) => ({ ...one, values: one.values.map(bytes) })));
    expect(written.slice(1).map(formOf)).toEqual(others.map(formOf));
  });

  it("are of no other patients than those that were handed over, whoever else is served between the questions", async () => {
    const [keys, others] = [keysOf(), keysOf()];
    const [rows, beside] = [thread.rowsOf(keys, people()), thread.rowsOf(others, [finn("3")])];
    const answers = await Promise.all([
      rows.identifiers(),
      beside.identifiers(),
      rows.names(),
      beside.names(),
    ]);
    rows.close();
    beside.close();
    expect(answers[0].numbers).toHaveLength(3);
    expect(answers[1].numbers).toHaveLength(1);
    expect(answers[1].taken.values).toEqual(
      new PatientRows(others, [finn("3")]).givenIdentifiers().taken.values.map(bytes),
    );
  });
});

describe("what fails in the thread", () => {
  it("arrives by its meaning, with its cause", async () => {
    const rows = thread.rowsOf(keysOf(16), people());
    await rows.names();
    const [identifiers, ...parts] = rows.written(PARTS, WRITTEN_WITH);
    await expect(identifiers).resolves.toHaveLength(1);
    const failure = await parts[0]?.catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(MpiError);
    expect((failure as MpiError).says("INDEX_ENCRYPTION_FAILED")).toBe(true);
    expect((failure as MpiError).cause).toBeInstanceOf(RangeError);
    // Nobody makes the parts behind it, nor anything else.
    await expect(parts[1]).rejects.toBe(failure);
    await expect(rows.identifiers()).rejects.toBe(failure);
  });

  it("arrives as it is when it is none of our errors", async () => {
    const rows = thread.rowsOf(keysOf(), people());
    const [, part] = rows.written(PARTS, WRITTEN_WITH);
    await expect(part).rejects.toThrow(TypeError);
    rows.close();
  });
});

describe("a thread that dies", () => {
  it("fails whoever waits for it, with what it died of, and is replaced for whoever comes then", async () => {
    thread = new RowsThread(new URL("./dying-thread.ts", import.meta.url));
    const beside = thread.rowsOf(keysOf(), people());
    await beside.names();
    const rows = thread.rowsOf(keysOf(), []);
    const waiting = [rows.identifiers(), rows.names()];
    const [failure, other] = await Promise.all(waiting.map((one) => one.catch((error: unknown) => error)));
    expect(failure).toMatchObject({
      message: "The thread that makes rows has ended.",
      cause: { name: "RangeError", message: "Out of order." },
    });
    expect(other).toBe(failure);
    await expect(rows.names()).rejects.toBe(failure);
    await expect(beside.identifiers()).rejects.toBe(failure);
    const others = thread.rowsOf(keysOf(), people());
    await expect(others.names()).resolves.toEqual(expect.any(Array));
    others.close();
  });
});

it("nobody makes rows once the thread is closed", async () => {
  const rows = thread.rowsOf(keysOf(), people());
  const waiting = rows.names();
  await thread.close();
  await expect(waiting).rejects.toThrow("The thread that makes rows has ended.");
  expect(() => thread.rowsOf(keysOf(), people())).toThrow("nobody any more");
});

function bytes(value: unknown): unknown {
  return value instanceof Uint8Array ? new Uint8Array(value) : value;
}

/** Names of statements, and how long their values are. */
function formOf(statements: readonly { readonly name: string; readonly values: readonly unknown[] }[]) {
  return statements.map(({ name, values }) => [
    name,
    ...values.map((value) => (value instanceof Uint8Array ? value.length : value)),
  ]);
}
