import { afterAll, beforeAll, expect, it } from "vitest";
import { unitOfWork } from "../../../src/storage/index.ts";
import { expectNoDeadlock } from "../linkage/agreement.ts";
import { NOW, newPatient, openStore, relatedPersons, type StoreUnderTest } from "./stores.ts";

let opened: StoreUnderTest;

beforeAll(async () => {
  opened = await openStore();
});

afterAll(async () => {
  await opened.close();
});

it("transactions that meet the same patients, not known beforehand, in another order do not wait in a circle", async () => {
  const [one, other] = [(await newPatient(opened)).number, (await newPatient(opened)).number];
  const store = relatedPersons.open(opened);
  const work = unitOfWork(opened.database, opened.ring);
  const bothHoldOne = Promise.withResolvers<void>();
  let holding = 0;
  const writeBoth = (first: bigint, second: bigint) =>
    work.run(async () => {
      await work.lockPatients([]);
      await store.create(first, NOW, () => relatedPersons.example(`${first} first`));
      holding += 1;
      if (holding === 2) bothHoldOne.resolve();
      await bothHoldOne.promise;
      await store.create(second, NOW, () => relatedPersons.example(`${second} second`));
    });
  await Promise.all([writeBoth(one, other), writeBoth(other, one)]);
  await expectNoDeadlock(opened);
  const all = { descending: false, offset: 0, size: 10 };
  for (const patient of [one, other]) expect((await store.pageOfPatients([patient], all)).total).toBe(2);
});
