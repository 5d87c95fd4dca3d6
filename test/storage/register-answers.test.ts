import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { answerStore, purgeAnswers } from "../../src/storage/index.ts";
import { openStore, type StoreUnderTest } from "./patients/store.ts";

const NOW = new Date("2026-05-01T10:00:00.000Z");
const SOON = new Date("2026-05-01T10:00:05.000Z");
const LATER = new Date("2026-05-01T10:00:06.000Z");
const HELD_MS = 30_000;

let opened: StoreUnderTest;

beforeAll(async () => {
  opened = await openStore();
});

afterAll(async () => {
  await opened.close();
});

const question = (personalCode: string) => ({ personalCode, query: "population.ReadPerson" });
const answers = () =>
  answerStore(opened.database, opened.ring, (error) => void unreadable.push(error.message));
let unreadable: string[] = [];

beforeEach(() => {
  unreadable = [];
});

it("keeps an answer for those who ask the same of the same person, until its time", async () => {
  const key = question("38001085718");
  await answers().keep(key, Uint8Array.of(1, 2, 3), SOON);
  expect(await answers().read(key, NOW)).toEqual(Uint8Array.of(1, 2, 3));
  expect(await answers().read({ ...key, query: "population.ReadName" }, NOW)).toBeUndefined();
  expect(await answers().read(question("47101010033"), NOW)).toBeUndefined();
  expect(await answers().read(key, LATER)).toBeUndefined();
});

it.each([
  ["that was changed", "ciphertext = set_byte(ciphertext, 30, 255 - get_byte(ciphertext, 30))"],
  ["under a key that nobody has", "key_id = 'lost'"],
])("counts an answer %s as none, tells of it, and keeps the next one in its place", async (_what, change) => {
  const key = question("49403136515");
  await answers().keep(key, Uint8Array.of(1, 2, 3), SOON);
  await opened.database.$executeRawUnsafe(`UPDATE register_answer SET ${change}`);
  expect(await answers().read(key, NOW)).toBeUndefined();
  expect(unreadable).toEqual(["INDEX_DECRYPTION_FAILED"]);
  await answers().keep(key, Uint8Array.of(4), SOON);
  expect(await answers().read(key, NOW)).toEqual(Uint8Array.of(4));
});

it("lets one at a time ask the same, however many want to", async () => {
  const key = question("47101010033");
  const tries = Array.from({ length: 20 }, (_, n) => answers().claim(key, `replica-${n}`, HELD_MS));
  const claimed = (await Promise.all(tries)).map((one, n) => (one ? n : -1)).filter((n) => n >= 0);
  expect(claimed).toHaveLength(1);
  await answers().release(key, "another");
  expect(await answers().claim(key, "another", HELD_MS)).toBe(false);
  await answers().release(key, `replica-${claimed[0]}`);
  expect(await answers().claim(key, "another", HELD_MS)).toBe(true);
});

it("lets the next one ask when whoever asked was killed", async () => {
  const key = question("37605030299");
  expect(await answers().claim(key, "killed", HELD_MS)).toBe(true);
  expect(await answers().claim(key, "next", HELD_MS)).toBe(false);
  await letQuestionsRunOut();
  expect(await answers().claim(key, "next", HELD_MS)).toBe(true);
});

it("lets the next one ask when whoever asked was killed before the clock of the database was set back", async () => {
  const key = question("38207162722");
  expect(await answers().claim(key, "killed", HELD_MS)).toBe(true);
  await opened.database
    .$executeRaw`UPDATE register_question SET held_until = held_until + interval '1 day' WHERE holder = 'killed'`;
  expect(await answers().claim(key, "next", HELD_MS)).toBe(true);
  expect(await answers().claim(key, "another", HELD_MS)).toBe(false);
});

it("purges what is kept no longer, questions included", async () => {
  const key = question("60001019906");
  await answers().keep(key, Uint8Array.of(9), SOON);
  await answers().claim(key, "killed", HELD_MS);
  await letQuestionsRunOut();
  await purgeAnswers(opened.database, new Date("2027-01-01T00:00:00.000Z"));
  const [left] = await opened.database.$queryRaw<{ answers: bigint; questions: bigint }[]>`
    SELECT (SELECT count(*) FROM register_answer) AS answers, (SELECT count(*) FROM register_question) AS questions`;
  expect(left).toEqual({ answers: 0n, questions: 0n });
});

async function letQuestionsRunOut(): Promise<void> {
  await opened.database
    .$executeRaw`UPDATE register_question SET held_until = held_until - interval '1 minute'`;
}
