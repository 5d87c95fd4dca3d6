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
  const of = (familyName: string) => create(ReadPersonResponseSchema, { person: { familyName } });
  const code = "60001019906";
  const slow = Promise.withResolvers<ReadPersonResponse>();
  const asked = Promise.withResolvers<void>();
  const first = replica().answer(
    read(code, () => {
      asked.resolve();
      return slow.promise;
    }),
  );
  await asked.promise;
  await delay(20);
  const anew = { ...read(code, async () => of("New")), query: queryAnew(code) };
  expect(await replica().answer(anew)).toEqual(of("New"));
  await delay(20);
  slow.resolve(of("Old"));
  expect(await first).toEqual(of("Old"));
  expect(await replica().answer(read(code, () => Promise.reject(new Error("It is kept."))))).toEqual(
    of("New"),
  );
});

function queryAnew(personalCode: string) {
  return create(PersonQuerySchema, { personalCode, noCache: true });
}
