import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createRemoteTransport, type RemoteTransport } from "../../gateway/transport/remote/remote.ts";
import { parseSettings } from "../../src/config.ts";
import { openDatabase } from "../../src/storage/connection/database.ts";
import { openStorage, patientStore } from "../../src/storage/index.ts";
import { type IndexUnderTest, startIndex } from "../atlas/index-under-test.ts";
import { fixedKeys, newIndexKeys } from "../storage/index-keys.ts";
import { storedText } from "../storage/stored-text.ts";
import { askedPeople, askForEverything, askForRefusals } from "./everything.ts";

/** Shorter ones are found in any dump by chance. */
const LEAST_LENGTH = 8;
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };

const values = new Set<string>();
let index: IndexUnderTest;
let core: RemoteTransport;

beforeAll(async () => {
  index = await startIndex();
  core = createRemoteTransport({ target: `127.0.0.1:${index.grpcPort}` });
  const witness = { onBody: noteIdentifiers, onPath: noteIdentifiersOfQuery };
  await askForEverything(index, witness);
  await askForRefusals(index, core, witness);
  for (const { personalCode } of askedPeople) values.add(personalCode);
}, 300_000);

afterAll(async () => {
  core.close();
  await index.stop();
});

describe("a dump of the database after everything was asked", () => {
  it("holds no value of an identifier: not as it is, nor in hex, nor in base64", async () => {
    const dump = await storedText(index.databaseUrl);
    expect(values.size).toBeGreaterThan(50);
    expect(dump.length).toBeGreaterThan(100_000);
    expect([...values].filter((value) => spellingsOf(value).some((one) => dump.includes(one)))).toEqual([]);
  });

  it("gives none back without the key file", async () => {
    const folder = await mkdtemp(join(tmpdir(), "no-keys-"));
    const database = openDatabase({
      url: index.databaseUrl,
      poolSize: 2,
      preparedStatements: true,
      onConnectionError: () => undefined,
    });
    try {
      const keyFile = join(folder, "keys.json");
      const settings = { ...parseSettings({}), databaseUrl: index.databaseUrl, keyFile };
      await expect(openStorage(settings, quiet, () => undefined)).rejects.toThrow("is missing");
      const store = patientStore(database, fixedKeys(newIndexKeys()));
      const { rows } = await index.database.query<{ id: string }>(
        "SELECT DISTINCT patient_id AS id FROM identifier_value WHERE owner = patient_id",
      );
      expect(rows.length).toBeGreaterThan(20);
      // One of them has a document that was spoiled on purpose.
      for (const { id } of rows) await expect(store.read(BigInt(id))).rejects.toThrow();
      for (const value of values) expect(await store.holders([{ value }])).toEqual([]);
    } finally {
      await database.$disconnect();
      await rm(folder, { recursive: true });
    }
  });
});

/** Notes the values of identifiers wherever they are in a body. Contact points have codes as systems, not URIs. */
function noteIdentifiers(node: unknown): void {
  if (Array.isArray(node)) for (const one of node) noteIdentifiers(one);
  else if (typeof node === "object" && node !== null) {
    const { system, value } = node as { system?: unknown; value?: unknown };
    if (typeof system === "string" && system.includes(":") && typeof value === "string") noteValue(value);
    for (const one of Object.values(node)) noteIdentifiers(one);
  }
}

function noteIdentifiersOfQuery(path: string): void {
  for (const [name, value] of new URLSearchParams(path.split("?")[1] ?? "")) {
    if (name.includes("identifier"))
      for (const token of value.split(",")) noteValue(token.split("|").at(-1) ?? "");
  }
}

function noteValue(value: string): void {
  if (value.trim().length >= LEAST_LENGTH) values.add(value.trim());
}

/** The value, its bytes in hex, and in base64 wherever in a longer text it begins. */
function spellingsOf(value: string): string[] {
  const inBase64 = ["", "x", "xy"].map((before) => {
    const text = Buffer.from(before + value).toString("base64");
    // The first and last characters hold bits of what is around it.
    return text.slice(before === "" ? 0 : 4, text.length - 4);
  });
  const hex = Buffer.from(value).toString("hex");
  return [value, hex, hex.toUpperCase(), ...inBase64.filter((text) => text.length >= LEAST_LENGTH)];
}
