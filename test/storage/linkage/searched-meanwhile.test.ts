import { randomUUID } from "node:crypto";
import { create } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SearchParameterSchema } from "#proto/patientindex/v1/search_parameter_pb.ts";
import { patientsMeant, searchPatients } from "../../../src/patients/index.ts";
import { patientStore } from "../../../src/storage/index.ts";
import { PID } from "../../patients/examples.ts";
import { interrupted } from "../interrupted.ts";
import { type LinkageUnderTest, openLinkage } from "./linked-patients.ts";

/** More than a search or a condition asks. */
const STATEMENTS = Array.from({ length: 14 }, (_, place) => place + 1);

let opened: LinkageUnderTest;

beforeAll(async () => {
  opened = await openLinkage();
});

afterAll(async () => {
  await opened.close();
});

describe("a group that changes right after one of the statements of a look at it", () => {
  it("holds whoever was asked for", async () => {
    const [lower, upper] = [await opened.add(), await opened.add()];
    await opened.link(lower, upper);
    const { store } = indexWhere(1, () => opened.unlink(lower, upper));
    expect(await store.group(BigInt(lower))).toEqual([BigInt(lower)]);
  });

  it("holds a primary that went below another, and that one", async () => {
    const [lower, middle, upper] = [await opened.add(), await opened.add(), await opened.add()];
    await opened.link(lower, middle);
    const { store } = indexWhere(1, () => opened.link(middle, upper));
    expect(await store.group(BigInt(middle))).toEqual([lower, middle, upper].map(BigInt));
  });

  it.each(STATEMENTS)("is found by an identifier of its member, statement %i", async (statement) => {
    const [holder, upper] = [await added(), await opened.add()];
    await opened.link(holder.id, upper);
    const index = indexWhere(statement, () => opened.unlink(holder.id, upper));
    const { patients } = await searchPatients(index, by(holder.value), false);
    expect(patients.map(({ id }) => id)).toContain(holder.id);
  });

  it.each(STATEMENTS)("is one person to a condition, statement %i", async (statement) => {
    const [holder, upper, other] = [await added(), await opened.add(), await opened.add()];
    await opened.link(holder.id, upper);
    await opened.link(other, holder.id);
    const index = indexWhere(statement, () => opened.unlink(other, holder.id));
    const { total, patients } = await patientsMeant(index, by(holder.value));
    expect([total, patients.map(({ id }) => id)]).toEqual([1, [holder.id]]);
  });

  it.each(STATEMENTS)("is not two people to a condition, statement %i", async (statement) => {
    const [one, other] = [await added("fin/ni"), await opened.add()];
    const { id, value } = await added("nor/ni", one.value);
    const index = indexWhere(statement, () => opened.link(other, id));
    expect((await patientsMeant(index, by(value))).total).toBeGreaterThan(1);
  });
});

/** The index, where something else happens right after the how-manieth statement. */
function indexWhere(statement: number, elsewhere: () => Promise<unknown>) {
  const database = interrupted(opened.database, statement, async () => void (await elsewhere()));
  return { ...opened.index, store: patientStore(database, opened.ring) };
}

async function added(
  system = "fin/ni",
  value: string = randomUUID(),
): Promise<{ id: string; value: string }> {
  const id = await opened.add([], { identifier: [{ system: `${PID}/${system}`, value }] });
  return { id, value };
}

/** By a document anywhere. */
function by(value: string) {
  return [create(SearchParameterSchema, { name: "identifier", value: `${PID}|${value}` })];
}
