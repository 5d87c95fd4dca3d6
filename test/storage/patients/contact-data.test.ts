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
const REFUSALS = 100;

let opened: StoreUnderTest;
let refused: string | undefined;
let taken: string[];

beforeEach(async () => {
  opened = await openStore();
  taken = [];
  refused = await changedBy(REFUSALS, NOW);
  await changedBy(1, LATER);
});

afterEach(() => opened.close());

describe("behind a hundred contact data that it refuses, the population register", () => {
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

function sending(now: Date): ContactDataSending {
  const population: Pick<PopulationRegister, "updateContactData"> = {
    async updateContactData({ personalCode }: ContactData) {
      if (personalCode === refused) throw new Error("The register refused.");
      taken.push(personalCode);
    },
  };
  return {
    queue: contactDataQueue(opened.database),
    store: opened.store,
    population: population as PopulationRegister,
    now: () => now,
    onFailure: () => undefined,
  };
}

/** The code of a new patient whose contact data clients have changed so many times. */
async function changedBy(changes: number, at: Date): Promise<string | undefined> {
  const { id, identifier } = await opened.store.create(somebody("est"), at);
  await opened.database.$executeRaw`
    INSERT INTO outbox (patient_id, n, kind, resource_type, dependent, version, at)
    SELECT ${id}::text::bigint, 1000 + change, 'contact-data', 'Patient', 0, 1, ${at}
    FROM generate_series(1, ${changes}::int) AS change`;
  return identifier[0]?.value;
}
