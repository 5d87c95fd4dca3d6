import { setTimeout as delay } from "node:timers/promises";
import { create } from "@bufbuild/protobuf";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  type ReadPersonResponse,
  ReadPersonResponseSchema,
} from "#proto/patientindex/registers/v1/population_register_service_pb.ts";
import { PersonQuerySchema } from "#proto/patientindex/registers/v1/register_query_pb.ts";
import { KeptAnswers } from "../../src/registers/index.ts";
import { answerStore } from "../../src/storage/index.ts";
import { openStore, type StoreUnderTest } from "../storage/patients/store.ts";

let opened: StoreUnderTest;

beforeAll(async () => {
  opened = await openStore();
});

afterAll(async () => {
  await opened.close();
});

/** Longer than a test may take. */
const TIMEOUT_MS = 600_000;

/** The answers of one process; all of them keep them in the same database. */
function replica(): KeptAnswers {
  const store = answerStore(opened.database, opened.ring, () => {});
  return new KeptAnswers({ store, keepMs: 60_000, timeoutMs: TIMEOUT_MS, now: () => new Date() });
}

const read = (personalCode: string, ask: () => Promise<ReadPersonResponse>) => ({
  name: "population.ReadPerson",
  query: create(PersonQuerySchema, { personalCode }),
  answer: ReadPersonResponseSchema,
  ask,
});

const answered = async () => create(ReadPersonResponseSchema);

it("a replica whose call failed leaves the question to the next one at once", async () => {
  const failing = read("38001085718", () => Promise.reject(new Error("The register is away.")));
  await expect(replica().answer(failing)).rejects.toThrow("The register is away.");
  expect(await replica().answer(read("38001085718", answered))).toEqual(await answered());
});

it("a replica that waits for another one's answer asks itself when that one fails", async () => {
  let fail = (_: Error) => {};
  const asked = new Promise<ReadPersonResponse>((_, reject) => {
    fail = reject;
  });
  let isAsked = false;
  const first = replica().answer(
    read("47101010033", () => {
      isAsked = true;
      return asked;
    }),
  );
  await expect.poll(() => isAsked).toBe(true);
  const second = replica().answer(read("47101010033", answered));
  fail(new Error("The register is away."));
  await expect(first).rejects.toThrow("The register is away.");
  expect(await second).toEqual(await answered());
});

it("an answer that was asked for before a newer one came is not kept in its place", async () => {
  const code = "60001019906";
  const old = slowCall();
  const first = replica().answer(read(code, old.ask));
  await old.asked;
  await delay(20);
  expect(await replica().answer(readAnew(code, async () => of("New")))).toEqual(of("New"));
  await delay(20);
  old.answer(of("Old"));
  expect(await first).toEqual(of("Old"));
  expect(await replica().answer(read(code, () => Promise.reject(new Error("It is kept."))))).toEqual(
    of("New"),
  );
});

it("who asks anew is not given the answer to a call that began before he came", async () => {
  const code = "47101010044";
  const one = replica();
  const old = slowCall();
  const first = one.answer(readAnew(code, old.ask));
  await old.asked;
  const second = one.answer(readAnew(code, async () => of("New")));
  old.answer(of("Old"));
  expect(await second).toEqual(of("New"));
  expect(await first).toEqual(of("Old"));
});

it("who comes when a newer answer is kept is not given that of a call that still runs", async () => {
  const code = "37605030299";
  const one = replica();
  const old = slowCall();
  const first = one.answer(read(code, old.ask));
  await old.asked;
  await delay(20);
  expect(await replica().answer(readAnew(code, async () => of("New")))).toEqual(of("New"));
  const second = one.answer(read(code, () => Promise.reject(new Error("It is kept."))));
  old.answer(of("Old"));
  expect(await second).toEqual(of("New"));
  expect(await first).toEqual(of("Old"));
});

const of = (familyName: string) => create(ReadPersonResponseSchema, { person: { familyName } });

/** A call to a register that is on its way until its answer is given. */
function slowCall() {
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<ReadPersonResponse>();
  return {
    ask() {
      asked.resolve();
      return answer.promise;
    },
    asked: asked.promise,
    answer: answer.resolve,
  };
}

function readAnew(personalCode: string, ask: () => Promise<ReadPersonResponse>) {
  return { ...read(personalCode, ask), query: create(PersonQuerySchema, { personalCode, noCache: true }) };
}
