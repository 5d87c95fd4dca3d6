import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listName, pageToken } from "../../src/resources/index.ts";
import { type RunningService, startService } from "../service.ts";
import { marriageOf, spouseOf } from "./family.ts";
import { codesOf, type HttpAnswer, send } from "./http-client.ts";
import { inventedPatient } from "./invented-patient.ts";

type Json = Record<string, unknown>;

const FIRST_AND_LAST = [
  "0001",
  "0001-01-01",
  "0001-01-01T00:00:00",
  "0001-01-01T00:00:00+14:00",
  "9999",
  "9999-12-31",
  "9999-12-31T23:59:59-14:00",
];
/** In bodies a time has an offset. */
const OF_BODIES = FIRST_AND_LAST.filter((date) => !/T[\d:]+$/.test(date));
const OF_NO_FHIR_DATE = [
  "0000",
  "0000-01-01",
  "0000-01-01T00:00:00Z",
  "+012026-01-01T00:00:00Z",
  "2026-01-01T00:00:00+14:30",
];

function isFirst(date: string): boolean {
  return date.startsWith("0001");
}

let service: RunningService;
let histories: string[];
let id: string;

beforeAll(async () => {
  service = await startService();
  id = (await store(inventedPatient())).json.id;
  const spouse = await store(spouseOf(`Patient/${id}`));
  const marriage = await store(marriageOf(`Patient/${id}`));
  const instances = [`Patient/${id}`, `RelatedPerson/${spouse.json.id}`, `Observation/${marriage.json.id}`];
  histories = [...instances, "Patient", "RelatedPerson"].map((path) => `${path}/_history`);
});

afterAll(() => service.stop());

function get(path: string): Promise<HttpAnswer> {
  return send(`${service.url}/fhir/${path}`);
}

function store(resource: Json): Promise<HttpAnswer> {
  const body = JSON.stringify(resource);
  return send(`${service.url}/fhir/${resource["resourceType"]}`, { method: "POST", body });
}

async function total(path: string): Promise<number> {
  const { status, json } = await get(path);
  expect([path, status]).toEqual([path, 200]);
  return json.total;
}

describe("histories", () => {
  test.each(FIRST_AND_LAST)("are told since %s", async (since) => {
    for (const history of histories) {
      const expected = isFirst(since) ? 1 : 0;
      expect(await total(`${history}?_since=${encodeURIComponent(since)}`)).toBe(expected);
    }
  });

  test.each(OF_NO_FHIR_DATE)("are not told since %s, which is no date of FHIR", async (since) => {
    for (const history of histories) {
      const answer = await get(`${history}?_since=${encodeURIComponent(since)}`);
      expect([answer.status, codesOf(answer)]).toEqual([400, ["MPI-096"]]);
    }
  });

  test.each([2_147_483_648n, 999_999_999_999_999_999n])(
    "have no page behind position %s",
    async (position) => {
      for (const history of histories.filter((path) => /\d/.test(path))) {
        for (const order of ["", "&_sort=_lastUpdated"]) {
          const token = pageToken(listName(history, { oldestFirst: order !== "" }), position);
          const answer = await get(`${history}?_page=${token}${order}`);
          expect([answer.status, codesOf(answer)]).toEqual([400, ["MPI-096"]]);
        }
      }
    },
  );
});

describe("searches", () => {
  test.each(FIRST_AND_LAST)("compare with %s", async (date) => {
    const found = (prefix: string) =>
      total(`Patient?_id=${id}&_lastUpdated=${prefix}${encodeURIComponent(date)}`);
    for (const prefix of ["ge", "gt", "sa"])
      expect([prefix, await found(prefix)]).toEqual([prefix, isFirst(date) ? 1 : 0]);
    for (const prefix of ["le", "lt", "eb"])
      expect([prefix, await found(prefix)]).toEqual([prefix, isFirst(date) ? 0 : 1]);
  });

  test.each(OF_NO_FHIR_DATE)("do not compare with %s, which is no date of FHIR", async (date) => {
    const changed = await get(`Patient?_id=${id}&_lastUpdated=ge${encodeURIComponent(date)}`);
    expect([changed.status, codesOf(changed)]).toEqual([400, ["MPI-015"]]);
    const born = await get(`Patient?_id=${id}&birthdate=gt${encodeURIComponent(date)}`);
    expect([born.status, codesOf(born)]).toEqual([400, ["MPI-076"]]);
  });

  test("compare births with the first and the last day", async () => {
    expect(await total(`Patient?_id=${id}&birthdate=gt0001-01-01&birthdate=lt9999-12-31`)).toBe(1);
  });
});

describe("patients", () => {
  test.each(OF_BODIES.filter(isFirst))("may have died at %s", async (date) => {
    const stored = await store(inventedPatient({ birthDate: "0001", deceasedDateTime: date }));
    expect([stored.status, stored.json.deceasedDateTime]).toEqual([201, date]);
    const { json } = await get(`Patient?_id=${stored.json.id},${id}&deceased=true&_sort=death-date`);
    expect(json.entry[0].resource.deceasedDateTime).toBe(date);
  });

  test.each(OF_BODIES.filter((date) => !isFirst(date)))(
    "have not died at %s, which is to come",
    async (date) => {
      const answer = await store(inventedPatient({ deceasedDateTime: date }));
      expect([answer.status, codesOf(answer)]).toEqual([400, ["MPI-096"]]);
    },
  );

  test.each(OF_BODIES)("may have an identifier that ends at %s", async (date) => {
    const [identifier] = inventedPatient()["identifier"] as Json[];
    const patient = inventedPatient({ identifier: [{ ...identifier, period: { end: date } }] });
    const stored = await store(patient);
    expect([stored.status, stored.json.identifier[0].period.end]).toEqual([201, date]);
    const body = JSON.stringify({ ...stored.json, gender: "other" });
    const url = `${service.url}/fhir/Patient/${stored.json.id}`;
    expect((await send(url, { method: "PUT", body })).status).toBe(200);
  });
});
