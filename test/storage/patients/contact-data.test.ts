import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  type ContactDataSending,
  sendAllContactDataNow,
  sendContactData,
} from "../../../src/patients/index.ts";
import type { ContactData, PopulationRegister } from "../../../src/registers/ports.ts";
import { contactDataQueue } from "../../../src/storage/index.ts";
import { openStore, type StoreUnderTest, somebody } from "./store.ts";

const NOW = new Date("2026-05-01T10:00:00.000Z");
const LATER = new Date("2026-05-01T10:00:01.000Z");
const MUCH_LATER = new Date("2026-05-01T11:00:00.000Z");
const REFUSALS = 100;

let opened: StoreUnderTest;
/** Personal codes. */
let refused: Set<string>;
/** Message ids. */
let taken: string[];

beforeEach(async () => {
  opened = await openStore();
  taken = [];
  refused = new Set();
});

afterEach(() => opened.close());

describe("behind a hundred contact data that it refuses, the population register", () => {
  beforeEach(async () => {
    for (let patient = 0; patient < REFUSALS; patient++) {
      refused.add((await changed(NOW)).personalCode);
    }
    await changed(LATER);
  });

  it("is sent those of others in the same round", async () => {
    expect(await sendContactData(sending(LATER), () => false)).toEqual({ sent: 1, failed: REFUSALS });
    expect(taken).toHaveLength(1);
    expect(await sendContactData(sending(LATER), () => false)).toEqual({ sent: 0, failed: 0 });
  });

  it("is sent those of others by a job, which tries each of them once", async () => {
    const { signal } = new AbortController();
    expect(await sendAllContactDataNow(sending(NOW), signal)).toEqual({ sent: 1, failed: REFUSALS });
    expect(await sendAllContactDataNow(sending(NOW), signal)).toEqual({ sent: 0, failed: REFUSALS });
  });
});

it("contact data that the population register refused are due again after the clock was set back by a day", async () => {
  const { personalCode } = await changed(NOW);
  refused.add(personalCode);
  expect(await sendContactData(sending(NOW), () => false)).toEqual({ sent: 0, failed: 1 });
  refused.clear();
  await opened.database.$executeRaw`UPDATE outbox SET due_at = due_at + interval '1 day'`;
  expect(await sendContactData(sending(NOW), () => false)).toEqual({ sent: 1, failed: 0 });
});

describe("contact data that were changed twice", () => {
  it("go out once, for the later change", async () => {
    const patient = await changed(NOW);
    await changedAgain(patient, NOW);
    expect(await sendContactData(sending(NOW), () => false)).toEqual({ sent: 2, failed: 0 });
    expect(taken).toEqual([messageId(patient, 2, NOW)]);
  });

  it("do not go out for the earlier change when that is tried again after the later one", async () => {
    const patient = await changed(NOW);
    refused.add(patient.personalCode);
    expect(await sendContactData(sending(NOW), () => false)).toEqual({ sent: 0, failed: 1 });
    refused.clear();
    await changedAgain(patient, LATER);
    expect(await sendContactData(sending(NOW), () => false)).toEqual({ sent: 1, failed: 0 });
    expect(await sendContactData(sending(MUCH_LATER), () => false)).toEqual({ sent: 0, failed: 0 });
    expect(taken).toEqual([messageId(patient, 2, LATER)]);
  });
});

it("contact data of a version that is given again, after the database was put back, are no repeat to the register", async () => {
  const patient = await changed(NOW);
  expect(await sendContactData(sending(NOW), () => false)).toEqual({ sent: 1, failed: 0 });
  await note(patient.id, 1, LATER);
  expect(await sendContactData(sending(LATER), () => false)).toEqual({ sent: 1, failed: 0 });
  expect(taken).toEqual([messageId(patient, 1, NOW), messageId(patient, 1, LATER)]);
});

/** The same in every attempt, and for no other change. */
function messageId({ id }: Changed, version: number, at: Date): string {
  return `${id}-${version}-${at.getTime()}`;
}

function sending(now: Date): ContactDataSending {
  const population: Pick<PopulationRegister, "updateContactData"> = {
    async updateContactData({ personalCode, messageId }: ContactData) {
      if (refused.has(personalCode)) throw new Error("The register refused.");
      taken.push(messageId);
    },
  };
  return {
    queue: contactDataQueue(opened.database),
    store: opened.store,
    population: population as PopulationRegister,
    now: async () => now,
    onFailure: () => undefined,
  };
}

interface Changed {
  readonly id: string;
  readonly personalCode: string;
}

/** A new patient whose contact data a client has changed. */
async function changed(at: Date): Promise<Changed> {
  const { id = "", identifier } = await opened.store.create(somebody("est"), at);
  await note(id, 1, at);
  return { id, personalCode: identifier[0]?.value ?? "" };
}

function changedAgain({ id }: Changed, at: Date): Promise<void> {
  return note(id, 2, at);
}

async function note(id: string, version: number, at: Date): Promise<void> {
  await opened.database.$executeRaw`
    INSERT INTO outbox (patient_id, n, kind, resource_type, dependent, version, at)
    VALUES (${BigInt(id)}, ${1000 + version}, 'contact-data', 'Patient', 0, ${version}, ${at})`;
}
