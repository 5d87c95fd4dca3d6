import { Writable } from "node:stream";
import { pino } from "pino";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createRemoteTransport, type RemoteTransport } from "../../gateway/transport/remote/remote.ts";
import { type IndexUnderTest, startIndex } from "../atlas/index-under-test.ts";
import { usedTokens } from "../callers.ts";
import { askedPeople, askForEverything, askForRefusals, ISSUE } from "./everything.ts";

/** Everything that was logged, by whichever part of the service. */
const lines: string[] = [];
const log = pino({ level: "trace" }, new Writable({ write: keep }));
/** What names somebody, or lets somebody in. */
const secrets = new Set<string>();

let index: IndexUnderTest;
let core: RemoteTransport;

beforeAll(async () => {
  index = await startIndex(log);
  core = createRemoteTransport({ target: `127.0.0.1:${index.grpcPort}` });
});

afterAll(async () => {
  core.close();
  await index.stop();
});

function keep(line: Buffer, _encoding: string, done: () => void): void {
  lines.push(line.toString("utf8"));
  done();
}

/** Notes the names, identifiers, addresses and contacts of a resource, wherever in it they are. */
function noteSecretsOf(value: unknown, key = ""): void {
  if (Array.isArray(value)) for (const one of value) noteSecretsOf(one, key);
  else if (typeof value === "object" && value !== null) {
    for (const [name, one] of Object.entries(value)) noteSecretsOf(one, name);
  } else if (typeof value === "string" && NAMING.has(key)) noteSecret(value);
}

const NAMING = new Set(["value", "family", "given", "text", "line", "birthDate", "display"]);

/** Texts that anything may hold are no secret. */
function noteSecret(text: string): void {
  const trimmed = text.trim();
  if (trimmed.length >= 5 && !/^(https?:|urn:|true|false)/.test(trimmed)) secrets.add(trimmed);
}

function noteSecretsOfQuery(path: string): void {
  const query = path.split("?")[1] ?? "";
  for (const [name, value] of new URLSearchParams(query)) {
    if (!name.startsWith("_")) noteSecret(value.split("|").at(-1) ?? "");
  }
}

it("holds no identifier, no name, no address and no token of all that was asked, at any level", async () => {
  const witness = { onBody: noteSecretsOf, onPath: noteSecretsOfQuery };
  secrets.add(ISSUE);
  await askForEverything(index, witness);
  await askForRefusals(index, core, witness);
  for (const { personalCode, familyName } of askedPeople) {
    noteSecret(personalCode);
    noteSecret(familyName);
  }
  const tokens = await usedTokens();
  for (const token of tokens) secrets.add(token).add(token.split(".")[2] ?? token);
  expect(tokens.length).toBeGreaterThan(0);
  expect(secrets.size).toBeGreaterThan(100);
  expect(lines.length).toBeGreaterThan(300);
  const logged = lines.join("");
  expect([...secrets].filter((secret) => logged.includes(secret))).toEqual([]);
});
