import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fetchAs } from "../../callers.ts";
import { type RunningService, startService } from "../../service.ts";
import { codesOf, type HttpAnswer, send } from "../http-client.ts";

const PID = "https://fhir.ee/sid/pid";
const VERIFIED = "https://fhir.ee/mpi/StructureDefinition/ee-mpi-patient-verified";

type Json = Record<string, unknown>;

let service: RunningService;
let mikko: string;
let liisa: string;
let twin: string;

beforeAll(async () => {
  service = await startService({ searchMaximum: 3 });
  mikko = await store({
    code: "fin/ni|1",
    family: "Mäkinen",
    given: ["Mikko", "Juhani"],
    birthDate: "1967-03-05",
  });
  liisa = await store({
    code: "lva/ni|2",
    family: "Bērziņa",
    given: ["Liisa"],
    gender: "female",
    birthDate: "1980-11-12",
  });
  twin = await store({
    code: "lva/ni|3",
    family: "Bērziņa",
    given: ["Anna"],
    gender: "female",
    birthDate: "1980-11-12",
  });
});

afterAll(async () => {
  await service.stop();
});

interface Somebody {
  readonly code: string;
  readonly family: string;
  readonly given: readonly string[];
  readonly gender?: string;
  readonly birthDate: string;
  readonly phone?: string;
}

function patientOf({ code, family, given, gender = "male", birthDate, phone }: Somebody): Json {
  const [path, value] = code.split("|");
  return {
    resourceType: "Patient",
    meta: { profile: [VERIFIED] },
    identifier: [{ system: `${PID}/${path}`, value }],
    active: true,
    name: [{ use: "official", family, given }],
    gender,
    birthDate,
    ...(phone !== undefined && { telecom: [{ system: "phone", value: phone, use: "mobile" }] }),
  };
}

async function store(somebody: Somebody): Promise<string> {
  const answer = await send(`${service.url}/fhir/Patient`, {
    method: "POST",
    body: JSON.stringify(patientOf(somebody)),
  });
  expect(answer.status).toBe(201);
  return answer.json.id;
}

function post(operation: string, body: Json): Promise<HttpAnswer> {
  return send(`${service.url}/fhir/Patient/${operation}`, { method: "POST", body: JSON.stringify(body) });
}

function match(resource: Json, ...more: Json[]): Promise<HttpAnswer> {
  const parameter = [{ name: "resource", resource: { resourceType: "Patient", ...resource } }, ...more];
  return post("$match", { resourceType: "Parameters", parameter });
}

function foreign(query: string): Promise<HttpAnswer> {
  return send(`${service.url}/fhir/Patient/$foreign?${query}`);
}

function idsOf(answer: HttpAnswer): string[] {
  return (answer.json.entry ?? []).map(({ resource }: { resource: { id: string } }) => resource.id);
}

describe("Patient/$match", () => {
  const liisaDescribed = {
    name: [{ family: "Berzina", given: ["Liisa"] }],
    gender: "female",
    birthDate: "1980-11-12",
  };

  it("finds who is described, the most likely first, with score and grade", async () => {
    const answer = await match(liisaDescribed);
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({ resourceType: "Bundle", type: "searchset", total: 2 });
    const [first, second] = answer.json.entry;
    expect(first).toMatchObject({
      fullUrl: `${service.url}/fhir/Patient/${liisa}`,
      resource: { resourceType: "Patient", id: liisa },
      search: {
        mode: "match",
        extension: [{ url: "http://hl7.org/fhir/StructureDefinition/match-grade", valueCode: "probable" }],
      },
    });
    expect(first.search.score).toBeGreaterThan(0.95);
    expect(second.resource.id).toBe(twin);
    expect(second.search.extension[0].valueCode).toBe("possible");
    expect(second.search.score).toBeLessThan(first.search.score);
  });

  it("finds by an identifier alone, of whatever system", async () => {
    expect(idsOf(await match({ identifier: [{ system: `${PID}/fin/ni`, value: "1" }] }))).toEqual([mikko]);
  });

  it("knows an identifier in the ways in which it is looked up: with spaces round it, in another form of Unicode", async () => {
    const eero = { family: "Õunapuu", given: ["Eero"], birthDate: "1959-08-07" };
    const id = await store({ ...eero, code: "dnk/ni|Ö 5" });
    const described = { name: [{ family: "Õunapuu", given: ["Eero"] }], birthDate: "1959-08-07" };
    for (const value of ["Ö 5", " Ö 5 ", "Ö 5".normalize("NFD")]) {
      const identifier = [{ system: `${PID}/dnk/ni`, value }];
      expect(idsOf(await match({ identifier })), value).toEqual([id]);
      const [first] = (await match({ ...described, identifier })).json.entry;
      expect(first.search.extension[0].valueCode, value).toBe("certain");
    }
  });

  it("takes the resource itself too, with the other parameters in the query", async () => {
    const body = { resourceType: "Patient", ...liisaDescribed };
    expect(idsOf(await post("$match?count=1", body))).toEqual([liisa]);
  });

  it("takes a count with zeros before it for what it is without them", async () => {
    const resource = { resourceType: "Patient", ...liisaDescribed };
    expect(idsOf(await post("$match?count=01", resource))).toEqual([liisa]);
    expect(codesOf(await post("$match?count=00", resource))).toEqual(["MPI-096"]);
  });

  it("takes a count however large", async () => {
    const all = idsOf(await match(liisaDescribed));
    const resource = { resourceType: "Patient", ...liisaDescribed };
    for (const valueInteger of [101, 2_147_483_647]) {
      const parameter = [
        { name: "resource", resource },
        { name: "count", valueInteger },
      ];
      expect(idsOf(await post("$match", { resourceType: "Parameters", parameter }))).toEqual(all);
    }
    expect(idsOf(await post("$match?count=99999999999", resource))).toEqual(all);
  });

  it("answers in XML to whom it is asked in XML", async () => {
    const body = `<Patient xmlns="http://hl7.org/fhir"><name><family value="Berzina"/><given value="Liisa"/></name>
      <birthDate value="1980-11-12"/></Patient>`;
    const headers = { "content-type": "application/fhir+xml", accept: "application/fhir+xml" };
    const answer = await fetchAs(`${service.url}/fhir/Patient/$match`, { method: "POST", body, headers });
    expect(answer.status).toBe(200);
    expect(await answer.text()).toMatch(
      /<search><extension url="[^"]*match-grade"><valueCode value="probable"\/><\/extension><mode value="match"\/><score value="0\.9\d+"\/>/,
    );
  });

  it("answers with nobody where nobody fits, and that is no error", async () => {
    const answer = await match({ name: [{ family: "Kukk", given: ["Rein"] }], birthDate: "1930-01-01" });
    expect(answer.status).toBe(200);
    const link = [{ relation: "self", url: `${service.url}/fhir/Patient/$match` }];
    expect(answer.json).toEqual({ resourceType: "Bundle", type: "searchset", total: 0, link });
  });

  it("answers with certain matches alone, or with the one that stands out, where that is wished", async () => {
    const certain = { name: "onlyCertainMatches", valueBoolean: true };
    expect(idsOf(await match(liisaDescribed, certain))).toEqual([]);
    const code = { ...liisaDescribed, identifier: [{ system: `${PID}/lva/ni`, value: "2" }] };
    expect(idsOf(await match(code, certain))).toEqual([liisa]);
    const single = { name: "onlySingleMatch", valueBoolean: true };
    expect(idsOf(await match(liisaDescribed, single))).toEqual([liisa]);
    const neither = { ...liisaDescribed, name: [{ family: "Berzina" }] };
    expect(idsOf(await match(neither))).toHaveLength(2);
    expect(idsOf(await match(neither, single))).toEqual([]);
  });

  it("does not answer with a twin whose name is nearly the same as with a certain match", async () => {
    const home = { family: "Ploom", birthDate: "2010-02-03", phone: "+3725123401" };
    const marko = await store({ ...home, code: "ukr/ppn|MARKO1", given: ["Marko"] });
    const { identifier: _, ...described } = patientOf({ ...home, code: "ukr/ppn|MIRKO1", given: ["Mirko"] });
    const certain = { name: "onlyCertainMatches", valueBoolean: true };
    expect(idsOf(await match(described))).toEqual([marko]);
    expect(idsOf(await match(described, certain))).toEqual([]);
    expect(
      idsOf(await match({ ...described, name: [{ family: "Ploom", given: ["Marko"] }] }, certain)),
    ).toEqual([marko]);
  });

  it("shows a linked group once, by its primary", async () => {
    const person = { family: "Kovalenko", given: ["Oksana"], gender: "female", birthDate: "1971-06-07" };
    const primary = await store({ ...person, code: "ukr/ni|41" });
    const secondary = await store({ ...person, code: "pol/ni|42" });
    const reference = (name: string, id: string) => ({
      name,
      valueReference: { reference: `Patient/${id}` },
    });
    const parameter = [reference("source-patient", secondary), reference("target-patient", primary)];
    expect((await post("$link", { resourceType: "Parameters", parameter })).status).toBe(200);
    const answer = await match({ identifier: [{ system: `${PID}/pol/ni`, value: "42" }] });
    expect(idsOf(answer)).toEqual([primary]);
    expect(answer.json.entry[0].resource.identifier).toHaveLength(2);
  });

  it.for([
    ["no resource", { resourceType: "Parameters", parameter: [] }, "MPI-078"],
    ["nothing to compare by", { resourceType: "Patient", gender: "male" }, "MPI-015"],
    ["another resource", { resourceType: "Observation" }, "MPI-096"],
    ["an unknown element", { resourceType: "Patient", colour: "red" }, "MPI-096"],
    [
      "an unknown parameter",
      { resourceType: "Parameters", parameter: [{ name: "x", valueCode: "y" }] },
      "MPI-096",
    ],
    [
      "a count that is none",
      { resourceType: "Parameters", parameter: [{ name: "count", valueInteger: 0 }] },
      "MPI-096",
    ],
  ] as const)("refuses %s", async ([, body, code]) => {
    const answer = await post("$match", body);
    expect(answer.status).toBe(400);
    expect(codesOf(answer)).toEqual([code]);
  });
});

describe("Patient/$foreign", () => {
  it.for([
    ["identifier-country=FIN", "the country, in any case"],
    ["identifier_country=fin&given=mikko", "the other spelling of the parameter"],
    ["identifier-country=FIN&given=MIKKO%20juhani&family=makinen", "names in any case, without accents"],
    ["identifier-country=FIN&family=Mäkkinnen", "a family name with two typing errors"],
    ["identifier-country=FIN&given=Rein,Miko", "an alternative of a name"],
    ["identifier-country=FIN&birthdate=1967-03-05&gender=male", "birth date and sex"],
  ])("finds by %s: %s", async ([query]) => {
    const answer = await foreign(query ?? "");
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({ resourceType: "Bundle", type: "collection" });
    expect(idsOf(answer)).toEqual([mikko]);
  });

  it.for([
    "identifier-country=SWE",
    "identifier-country=EST",
    "identifier-country=LVA&given=Mikko",
    "identifier-country=FIN&family=Mekkinnen",
    "identifier-country=FIN&given=Mikko&family=Virtanen",
    "identifier-country=FIN&gender=female",
    "identifier-country=FIN&birthdate=1967-05-03",
    "identifier-country=FIN&telecom=%2B358401",
  ])("finds nobody by %s", async (query) => {
    expect((await foreign(query)).json).toEqual({ resourceType: "Bundle", type: "collection" });
  });

  it("finds by telephone and e-mail, the former as it is stored or as it is dialled, after a change of it", async () => {
    const id = await store({
      code: "swe/ni|7",
      family: "Lind",
      given: ["Eva"],
      birthDate: "1950-01-01",
      phone: "+46 701 234 567",
    });
    expect(idsOf(await foreign("identifier-country=SWE&telecom=%2B46701234567"))).toEqual([id]);
    expect(idsOf(await foreign("identifier-country=SWE&telecom=phone|+46701234567"))).toEqual([id]);
    const stored = await send(`${service.url}/fhir/Patient/${id}`);
    const changed = { ...stored.json, telecom: [{ system: "email", value: "Eva@Lind.se", use: "home" }] };
    await send(`${service.url}/fhir/Patient/${id}`, { method: "PUT", body: JSON.stringify(changed) });
    expect(idsOf(await foreign("identifier-country=SWE&telecom=%2B46701234567"))).toEqual([]);
    expect(idsOf(await foreign("identifier-country=SWE&telecom=email|eva@lind.se"))).toEqual([id]);
  });

  it("shows those with the fewest typing errors first", async () => {
    const person = { given: ["Outi"], gender: "female", birthDate: "1955-05-05" };
    const near = await store({ ...person, code: "isl/ni|8", family: "Laime" });
    const exact = await store({ ...person, code: "isl/ni|9", family: "Laine" });
    expect(idsOf(await foreign("identifier-country=ISL&family=Laine"))).toEqual([exact, near]);
  });

  it("takes Parameters by POST", async () => {
    const parameter = [
      { name: "identifier-country", valueCode: "FIN" },
      { name: "birthdate", valueDate: "1967-03-05" },
    ];
    expect(idsOf(await post("$foreign", { resourceType: "Parameters", parameter }))).toEqual([mikko]);
  });

  it.for([
    ["", "MPI-078"],
    ["given=Mikko", "MPI-078"],
    ["identifier-country=&given=Mikko", "MPI-078"],
    ["identifier-country=Finland", "MPI-015"],
    ["identifier-country=FIN&colour=red", "MPI-015"],
    ["identifier-country=FIN&gender=m", "MPI-015"],
    ["identifier-country=FIN&family=-", "MPI-015"],
    ["identifier-country=FIN&birthdate=5.3.1967", "MPI-076"],
    ["identifier-country=FIN,LVA", "MPI-075"],
    ["identifier-country=FIN&identifier_country=LVA", "MPI-080"],
  ] as const)("refuses %s with %s", async ([query, code]) => {
    const answer = await foreign(query);
    expect(answer.status).toBe(400);
    expect(codesOf(answer)).toEqual([code]);
  });

  it("refuses to show more than a search may find", async () => {
    for (const n of [1, 2, 3, 4]) {
      await store({ code: `nor/ni|${n}`, family: "Hansen", given: ["Per"], birthDate: `196${n}-01-01` });
    }
    expect(codesOf(await foreign("identifier-country=NOR"))).toEqual(["MPI-027"]);
    expect(idsOf(await foreign("identifier-country=NOR&birthdate=1962-01-01"))).toHaveLength(1);
  });
});

describe("Patient/$mrn", () => {
  it("makes a new number each time, by GET and by POST", async () => {
    const asked = [
      await send(`${service.url}/fhir/Patient/$mrn`),
      await post("$mrn", { resourceType: "Parameters" }),
      await send(`${service.url}/fhir/Patient/$mrn`, { method: "POST" }),
    ];
    const numbers = asked.map(({ status, json }) => {
      expect(status).toBe(200);
      expect(json).toEqual({
        resourceType: "Parameters",
        parameter: [
          {
            name: "return",
            valueIdentifier: {
              system: `${PID}/est/mr`,
              value: expect.stringMatching(
                /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/,
              ),
            },
          },
        ],
      });
      return json.parameter[0].valueIdentifier.value;
    });
    expect(new Set(numbers).size).toBe(3);
  });

  it("is met with its dollar sign percent-encoded too, as some clients send it, in a batch as well", async () => {
    const alone = await send(`${service.url}/fhir/Patient/%24mrn`);
    expect([alone.status, alone.json.parameter?.[0].name]).toEqual([200, "return"]);
    expect((await send(`${service.url}/fhir/Patient/%24mrn`, { method: "PUT" })).status).toBe(405);
    const entry = [{ request: { method: "GET", url: "Patient/%24mrn" } }];
    const body = JSON.stringify({ resourceType: "Bundle", type: "batch", entry });
    const batch = await send(`${service.url}/fhir`, { method: "POST", body });
    expect(batch.json.entry).toMatchObject([{ response: { status: expect.stringMatching(/^200/) } }]);
  });
});
