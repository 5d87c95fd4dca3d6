import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRemoteJWKSet, jwtVerify } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { registerNames } from "../../src/registers/index.ts";
import { startSandbox } from "../../src/sandbox/index.ts";
import { inventPeopleFile } from "../../src/sandbox/invent/people.ts";
import people from "../../src/sandbox/people.json" with { type: "json" };
import schema from "../../src/sandbox/people.schema.json" with { type: "json" };
import type { PeopleFile } from "../../src/sandbox/people-file.ts";
import { servicesOf } from "../../src/sandbox/register-routes.ts";
import { sandboxRegisters } from "../../src/sandbox/registers/sandbox-registers.ts";
import type { TokenAnswer } from "../../src/sandbox/tokens.ts";

const PEOPLE = join(import.meta.dirname, "../../src/sandbox/people.json");

let sandbox: Awaited<ReturnType<typeof startSandbox>>;
let folder: string;

beforeAll(async () => {
  sandbox = await startSandbox({ host: "127.0.0.1", port: 0, dataFile: PEOPLE });
  folder = await mkdtemp(join(tmpdir(), "sandbox-"));
});

afterAll(async () => {
  await sandbox.stop();
  await rm(folder, { recursive: true });
});

const codes = people.people.map(({ personalCode }) => personalCode);
/** A good personal code that is nobody's in the sandbox. */
const UNKNOWN_CODE = "60001019906";

/** Our people file with successors of the codes in these places. */
function withSuccessors(successors: Readonly<Record<number, string | undefined>>): string {
  const persons = people.people.map((person, place) => ({ ...person, successorCode: successors[place] }));
  return JSON.stringify({ people: persons, addresses: people.addresses });
}

function post(path: string, body: unknown): Promise<Response> {
  return fetch(`${sandbox.url}${path}`, { method: "POST", body: JSON.stringify(body) });
}

function ask(service: string): Promise<Response> {
  return fetch(`${sandbox.url}/r1/EE/GOV/70000001/${service}`, {
    method: "POST",
    headers: { "x-road-client": "EE/GOV/1/x" },
    body: JSON.stringify({ personalCode: people.people[0]?.personalCode }),
  });
}

describe("the sandbox's tokens", () => {
  it("are verified by its published keys, and hold what was asked for", async () => {
    const user = { personalCode: "37002010019", name: "Mari Tamm" };
    const response = await post("/v2/token", {
      user,
      organization: "90000001",
      role: "doctor",
      application: "test",
    });
    const { accessToken, expiresIn, tokenType } = (await response.json()) as TokenAnswer;
    expect({ expiresIn, tokenType }).toEqual({ expiresIn: 3600, tokenType: "Bearer" });
    const keys = createRemoteJWKSet(new URL(`${sandbox.url}/v2/jwks`));
    const { payload } = await jwtVerify(accessToken, keys, {
      issuer: "https://sandbox.patient-index.invalid",
      audience: "patient-index",
    });
    expect(payload).toMatchObject({ ...user, organization: "90000001", role: "doctor", application: "test" });
  });

  it("are not issued to nobody", async () => {
    expect((await post("/v2/token", {})).status).toBe(400);
  });
});

it("docs/sandbox.md names the services of each register", async () => {
  const { people: persons, addresses } = people as unknown as PeopleFile;
  const registers = sandboxRegisters({ people: persons, addresses });
  const rows = registerNames.map((register) => {
    const services = Object.keys(servicesOf(registers, register) ?? {});
    return `| \`${register}\` | ${services.map((service) => `\`${service}\``).join(", ")} |`;
  });
  const page = await readFile(join(import.meta.dirname, "../../docs/sandbox.md"), "utf8");
  expect(page).toContain(`\n${rows.join("\n")}\n\n`);
});

describe("the sandbox's faults", () => {
  it.for([
    [{ register: "elsewhere", drop: true }, "register must be one of rr, "],
    [{ register: "rr", drop: true, times: 0 }, "times must be"],
    [{ register: "rr", service: "persons", drop: true }, "service must be one of person, "],
    [{ register: "rr", delay: 500 }, "delay is none of register, "],
    [{ register: "rr", drop: true, time: 1 }, "time is none of register, "],
    [{ register: "rr", code: 10035 }, "code must be a text"],
    [{ register: "rr", drop: "yes" }, "drop must be true or false"],
    [
      { register: "rr", exchange: { type: "Server" } },
      "exchange must be an object with a type and a message",
    ],
    [{ register: "rr", service: "person", drop: false }, "One of code, "],
    [{ drop: true }, "register must be one of rr, "],
  ] as const)("are refused when nothing can come of them: %o", async ([order, reason]) => {
    const refused = await post("/sandbox/faults", order);
    expect([refused.status, ((await refused.json()) as { message: string }).message]).toEqual([
      400,
      expect.stringContaining(reason),
    ]);
  });

  it("hold for so many calls, and are listed until then", async () => {
    await post("/sandbox/faults", { register: "tk", code: "7", message: "no", times: 1 });
    const listed = await (await fetch(`${sandbox.url}/sandbox/faults`)).json();
    expect(listed).toEqual([{ register: "tk", code: "7", message: "no", times: 1, left: 1 }]);
    const [first, second] = [await ask("tk/work-capacity"), await ask("tk/work-capacity")];
    expect([first.status, second.status]).toEqual([500, 200]);
    expect(await first.json()).toEqual({ code: "7", message: "no" });
  });

  it("delay an answer no longer than until they are ended", async () => {
    await post("/sandbox/faults", { register: "ska", delayMs: 600_000, code: "7", message: "no" });
    const delayed = Array.from({ length: 20 }, () => ask("ska/disabilities"));
    const asked = async () =>
      ((await (await fetch(`${sandbox.url}/sandbox/calls`)).json()) as { counts: Record<string, number> })
        .counts["ska/disabilities"];
    await expect.poll(asked).toBe(20);
    await fetch(`${sandbox.url}/sandbox/faults`, { method: "DELETE" });
    expect((await Promise.all(delayed)).map(({ status }) => status)).toEqual(Array(20).fill(500));
    expect((await ask("ska/disabilities")).status).toBe(200);
  });
});

describe("a call without X-Road-Client, or to a service that is not there", () => {
  it.for([
    ["rr/person", {}, "Client.MissingHeader"],
    ["rr/nothing", { "x-road-client": "EE/GOV/1/x" }, "Server.ServerProxy.UnknownService"],
    ["nowhere/person", { "x-road-client": "EE/GOV/1/x" }, "Server.ServerProxy.UnknownService"],
  ] as const)("is an error of the exchange layer: %s", async ([path, headers, type]) => {
    const response = await fetch(`${sandbox.url}/r1/EE/GOV/70000001/${path}`, {
      method: "POST",
      headers,
      body: "{}",
    });
    expect(response.headers.get("x-road-error")).toBe(type);
    expect(await response.json()).toMatchObject({ type });
  });
});

describe("the people file", () => {
  it("is what the script makes, and always the same", () => {
    const { people: persons, addresses } = inventPeopleFile();
    expect(JSON.parse(JSON.stringify({ people: persons, addresses }))).toEqual({
      people: people.people,
      addresses: people.addresses,
    });
  });

  it("holds what its schema names, and nothing else", () => {
    const { person, address } = schema.$defs;
    const named = (entries: readonly object[]) => new Set(entries.flatMap((entry) => Object.keys(entry)));
    expect([...named(people.people)].sort()).toEqual(Object.keys(person.properties).sort());
    expect([...named(people.addresses)].every((name) => name in address.properties)).toBe(true);
    for (const one of people.people)
      expect(Object.keys(one)).toEqual(expect.arrayContaining(person.required));
    for (const one of people.addresses)
      expect(Object.keys(one)).toEqual(expect.arrayContaining(address.required));
  });

  it.for([
    ["{", "is no JSON"],
    ["{}", 'no lists "people" and "addresses"'],
    [
      JSON.stringify({ people: [{ personalCode: "1" }], addresses: [] }),
      "people[0].personalCode is no personal code",
    ],
    [withSuccessors({ 0: UNKNOWN_CODE }), "people[0] names somebody who is not in the file"],
    [withSuccessors({ 0: codes[0] }), "people[0].successorCode leads back to it"],
    [withSuccessors({ 0: codes[1], 1: codes[2], 2: codes[1] }), "people[1].successorCode leads back to it"],
  ] as const)("stops the start when it cannot be used: %s", async ([text, reason]) => {
    const dataFile = join(folder, "people.json");
    await writeFile(dataFile, text);
    await expect(startSandbox({ host: "127.0.0.1", port: 0, dataFile })).rejects.toThrow(reason);
  });
});
