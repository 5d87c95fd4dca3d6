import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import people from "../../../src/sandbox/people.json" with { type: "json" };
import { onServer } from "../../database.ts";
import { PID } from "../../patients/examples.ts";
import { sandboxControl } from "../../registers/sandbox-control.ts";
import { type RunningService, startService } from "../../service.ts";
import { codesOf, type HttpAnswer, send } from "../http-client.ts";
import { inventedPatient } from "../invented-patient.ts";
import { everybody, RR, UNKNOWN_CODE, warningsOf } from "./register-answers.ts";

const NI = "https://fhir.ee/sid/pid/est/ni|";

let service: RunningService;
let control: ReturnType<typeof sandboxControl>;

beforeAll(async () => {
  service = await startService({ registerTimeout: 8_000 });
  control = sandboxControl(service.sandboxUrl);
});

afterEach(async () => {
  await control.heal();
});

afterAll(async () => {
  await service.stop();
});

const headers = { "x-road-issue": "visit" };

function get(path: string, more: Record<string, string> = {}, base = "/fhir"): Promise<HttpAnswer> {
  return send(`${service.url}${base}/${path}`, { headers: { ...headers, ...more } });
}

function lookUp(code: string, more: Record<string, string> = {}, base = "/fhir"): Promise<HttpAnswer> {
  return get(`Patient/$lookup?identifier=${code}&source=${RR}`, more, base);
}

/** The blind index goes on saying that somebody has the personal code of a patient, who is gone. */
async function loseHolder(id: string): Promise<void> {
  await onServer(service.databaseUrl, async (client) => {
    await client.query("UPDATE identifier SET patient_id = 999999 WHERE patient_id = $1", [id]);
  });
}

describe("Patient/$lookup with the population register as source", () => {
  it("stores the person, and says so in the history", async () => {
    const [person] = people.people;
    const answer = await lookUp(person?.personalCode ?? "");
    expect(answer.status).toBe(200);
    const [{ resource }] = answer.json.entry;
    expect(resource).toMatchObject({
      identifier: [{ system: "https://fhir.ee/sid/pid/est/ni", value: person?.personalCode }],
      active: true,
      name: [{ use: "official", family: person?.familyName, given: person?.givenNames }],
      gender: person?.sex,
      birthDate: person?.birthDate,
      meta: { versionId: "1", source: RR },
    });
    expect(resource.address[0]).toMatchObject({
      extension: expect.arrayContaining([
        { url: "http://hl7.org/fhir/StructureDefinition/address-official", valueBoolean: true },
      ]),
      country: "EE",
    });
    expect(resource.telecom[0].value).toBe(person?.phone);
    const again = await lookUp(person?.personalCode ?? "", { "cache-control": "no-cache" });
    expect(again.json.entry[0].resource).toEqual(resource);
  });

  it("takes Parameters by POST alike", async () => {
    const parameter = [
      { name: "identifier", valueIdentifier: { system: NI.slice(0, -1), value: everybody[1]?.personalCode } },
      { name: "source", valueUri: RR },
    ];
    const body = JSON.stringify({ resourceType: "Parameters", parameter });
    const answer = await send(`${service.url}/fhir/Patient/$lookup`, { method: "POST", body });
    expect(answer.json.entry[0].resource.name[0].family).toBe(everybody[1]?.familyName);
  });

  it.for([
    ["/fhir", 404, ["MPI-089", "XRR300", "10027"]],
    ["/1.1.1/fhir", 502, ["MPI-029", "XRR300", "10027"]],
  ] as const)("says in %s that the register does not know the person", async ([base, status, codes]) => {
    const answer = await lookUp(UNKNOWN_CODE, {}, base);
    expect(answer.status).toBe(status);
    expect(codesOf(answer)).toEqual(codes);
  });

  it("asks the index alone when no source is named", async () => {
    const code = everybody[5]?.personalCode ?? "";
    const before = await get(`Patient/$lookup?identifier=${code}`);
    expect(before.json).toEqual({ resourceType: "Bundle", type: "collection" });
    await lookUp(code);
    const after = await get(`Patient/$lookup?identifier=${NI}${code}`);
    expect(after.json.entry).toHaveLength(1);
  });

  it("knows its sources by the names of their settings too, as the specification writes them", async () => {
    const code = everybody[6]?.personalCode ?? "";
    const fromIndex = await get(`Patient/$lookup?identifier=${code}&source=MPI_ERROR_SYSTEM_MPI`);
    expect(fromIndex.json).toEqual({ resourceType: "Bundle", type: "collection" });
    const fromRegister = await get(`Patient/$lookup?identifier=${code}&source=MPI_ERROR_SYSTEM_RR`);
    expect(fromRegister.json.entry?.[0].resource.name[0].family).toBe(everybody[6]?.familyName);
    const other = await get(`Patient/$lookup?identifier=${code}&source=MPI_ERROR_SYSTEM_ADS`);
    expect([other.status, codesOf(other)]).toEqual([400, ["MPI-077"]]);
  });

  it("names the holder of an identifier alone, not the group that it is linked in", async () => {
    const store = async () => {
      const body = JSON.stringify(inventedPatient());
      return (await send(`${service.url}/fhir/Patient`, { method: "POST", body })).json;
    };
    const [source, target] = [await store(), await store()];
    const reference = (name: string, id: string) => ({
      name,
      valueReference: { reference: `Patient/${id}` },
    });
    const parameter = [reference("source-patient", source.id), reference("target-patient", target.id)];
    const body = JSON.stringify({ resourceType: "Parameters", parameter });
    await send(`${service.url}/fhir/Patient/$link`, { method: "POST", body });
    const [{ system, value }] = source.identifier;
    const { json } = await get(`Patient/$lookup?identifier=${encodeURIComponent(`${system}|${value}`)}`);
    expect(json.entry.map(({ resource }: { resource: { id: string } }) => resource.id)).toEqual([source.id]);
  });

  it.for([
    ["Patient/$lookup", 400, "MPI-078"],
    ["Patient/$lookup?identifier=37002010019&source=https://other.example", 400, "MPI-077"],
    ["Patient/$lookup?identifier=37002010018", 400, "MPI-044"],
    ["Patient/$lookup?identifier=37002010019&nocache=1", 400, "MPI-015"],
    ["Patient/$lookup?identifier=37002010019&nocache=", 400, "MPI-015"],
    [`Patient/$lookup?identifier=https://fhir.ee/sid/pid/fin/ni|1&source=${RR}`, 422, "MPI-022"],
  ] as const)("refuses %s", async ([path, status, code]) => {
    const answer = await get(path);
    expect(answer.status).toBe(status);
    expect(codesOf(answer)).toContain(code);
  });

  it("says beside all else that an identifier is no personal code", async () => {
    const answer = await get(`Patient/$lookup?identifier=${PID}/fin/ni|1&source=${RR}&nocache=1`);
    expect([answer.status, codesOf(answer)]).toEqual([400, ["MPI-022", "MPI-015"]]);
  });

  it("fails for a personal code that the index has of nobody (MPI-006), and does not try for ever", async () => {
    const code = everybody[7]?.personalCode ?? "";
    const stored = await lookUp(code);
    await loseHolder(stored.json.entry[0].resource.id);
    const answer = await lookUp(code);
    expect([answer.status, codesOf(answer)]).toEqual([500, ["MPI-006"]]);
  });
});

describe("a search by an Estonian personal code that the index does not know", () => {
  it("stores the person once for 200 who search at once", async () => {
    const code = everybody[9]?.personalCode ?? "";
    await control.forgetCalls();
    const found = await Promise.all(
      Array.from({ length: 200 }, () => get(`Patient?identifier=${NI}${code}`)),
    );
    const ids = new Set(found.map(({ json }) => json.entry[0].resource.id));
    expect(ids.size).toBe(1);
    expect(found.every(({ json }) => json.total === 1)).toBe(true);
    expect(await control.count("rr/person")).toBe(1);
    const [id] = ids;
    expect((await get(`Patient/${id}/_history`)).json.total).toBe(1);
  });

  it("finds nobody, and says so, when the register does not know the person either", async () => {
    const answer = await get(`Patient?identifier=${NI}${UNKNOWN_CODE}`);
    expect(answer.status).toBe(200);
    expect(answer.json.total).toBe(0);
    expect(answer.json.entry[0].search.mode).toBe("outcome");
    expect(warningsOf(answer)).toEqual(["MPI-089"]);
  });

  it("asks no register for patient-identifier", async () => {
    await control.forgetCalls();
    await get(`Patient?patient-identifier=${NI}${everybody[11]?.personalCode}`);
    expect(await control.count("rr/person")).toBe(0);
  });

  it("finds those whom the register knows by external-system-presence, together with something else", async () => {
    const code = everybody[9]?.personalCode ?? "";
    const foreigner = await send(`${service.url}/fhir/Patient`, {
      method: "POST",
      body: JSON.stringify(inventedPatient()),
    });
    const present = `external-system-presence=${RR}`;
    expect((await get(`Patient?identifier=${NI}${code}&${present}`)).json.total).toBe(1);
    expect((await get(`Patient?_id=${foreigner.json.id}`)).json.total).toBe(1);
    expect((await get(`Patient?_id=${foreigner.json.id}&${present}`)).json.total).toBe(0);
    const known = await get(`Patient?active=true&${present}&_count=100`);
    expect(known.json.total).toBeGreaterThan(0);
    for (const { resource } of known.json.entry) {
      expect(resource.identifier[0].system).toBe("https://fhir.ee/sid/pid/est/ni");
    }
  });

  it.for([
    [`external-system-presence=${RR}`, "MPI-015"],
    [`external-system-presence=${RR}&_count=5&_sort=birthdate`, "MPI-015"],
    ["active=true&external-system-presence=https://mpi.tehik.ee", "MPI-015"],
    [`active=true&external-system-presence=${RR},${RR}`, "MPI-075"],
    [`active=true&external-system-presence=${RR}&external-system-presence=${RR}`, "MPI-080"],
  ] as const)("refuses %s", async ([query, code]) => {
    const answer = await get(`Patient?${query}`);
    expect(answer.status).toBe(400);
    expect(codesOf(answer)).toEqual([code]);
  });

  it("asks no register for a search that it refuses", async () => {
    const code = `identifier=${NI}${everybody[13]?.personalCode}`;
    const refused = await get(`Patient?${code}&_elements=colour`);
    expect(codesOf(refused)).toEqual(["MPI-015"]);
    expect((await get(`Patient?patient-identifier=${NI}${everybody[13]?.personalCode}`)).json.total).toBe(0);
  });

  it.for([
    [{ drop: true }, 503],
    [{ garbage: true }, 502],
    [{ delayMs: 60_000 }, 504],
  ] as const)("fails with a chain of two when the register is silent: %o", async ([fault, status]) => {
    await control.fail({ register: "rr", ...fault });
    const answer = await get(`Patient?identifier=${NI}${everybody[13]?.personalCode}`);
    expect(answer.status).toBe(status);
    expect(codesOf(answer)).toEqual(["MPI-029", "XRR100"]);
  });
});
