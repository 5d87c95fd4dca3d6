import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parametersByName } from "../../../gateway/definitions/operations.ts";
import { allInteractions } from "../../../gateway/routes/interactions.ts";
import { PID } from "../../patients/examples.ts";
import { type RunningService, startService } from "../../service.ts";
import { codesOf, type HttpAnswer, send } from "../http-client.ts";
import { inventedPatient } from "../invented-patient.ts";

type Json = Record<string, unknown>;

const ISSUE = { "x-road-issue": "a visit" };

let service: RunningService;
let mikko: string;

const described = { name: [{ family: "Mäkinen", given: ["Mikko"] }], birthDate: "1967-03-05" };

beforeAll(async () => {
  service = await startService();
  const identifier = [{ system: `${PID}/fin/ni`, value: "1" }];
  const name = [{ use: "official", ...described.name[0] }];
  const patient = inventedPatient({ ...described, name, identifier, gender: "male" });
  const url = `${service.url}/fhir/Patient`;
  mikko = (await send(url, { method: "POST", body: JSON.stringify(patient) })).json.id;
});

afterAll(() => service.stop());

function get(query: string, headers: Record<string, string> = {}): Promise<HttpAnswer> {
  return send(`${service.url}/fhir/Patient/${query}`, { headers });
}

function post(
  operation: string,
  parameter: readonly Json[],
  headers: Record<string, string> = {},
): Promise<HttpAnswer> {
  const body = JSON.stringify({ resourceType: "Parameters", parameter });
  return send(`${service.url}/fhir/Patient/${operation}`, { method: "POST", headers, body });
}

function idsOf(answer: HttpAnswer): string[] {
  expect(answer.status).toBe(200);
  return (answer.json.entry ?? []).map(({ resource }: { resource: { id: string } }) => resource.id);
}

describe("parameters that an operation does not know", () => {
  const lenient = { prefer: "handling=lenient" };

  it("are passed over by GET and by POST, where that is wished", async () => {
    const query = "$foreign?identifier_country=FIN&given=mikko&colour=red&nocache=true";
    expect(idsOf(await get(query, lenient))).toEqual([mikko]);
    const parameter = [
      { name: "identifier-country", valueCode: "FIN" },
      { name: "colour", valueCode: "red" },
    ];
    expect(idsOf(await post("$foreign", parameter, lenient))).toEqual([mikko]);
    expect((await get("$mrn?colour=red", lenient)).status).toBe(200);
  });

  it("are refused where it is not", async () => {
    const refused = [
      await get("$foreign?identifier-country=FIN&colour=red"),
      await post("$foreign", [
        { name: "identifier-country", valueCode: "FIN" },
        { name: "colour", valueCode: "red" },
      ]),
      await get("$mrn?colour=red"),
    ];
    for (const answer of refused) expect([answer.status, codesOf(answer)]).toEqual([400, ["MPI-015"]]);
  });
});

describe("an operation takes the parameters that its OperationDefinition has, and no others of its kind:", () => {
  const operations = allInteractions().flatMap(({ operation = "", method, parameters }) =>
    parameters === "core" && method === "GET" && operation !== "" ? [operation] : [],
  );
  const names = new Set(operations.flatMap((operation) => [...parametersByName(operation).keys()]));
  /** Values of those that do not take any text. */
  const fitting = new Map([
    ["nocache", "true"],
    ["guardian-only", "true"],
    ["birthdate", "1980-01-01"],
    ["gender", "male"],
    ["identifier-country", "FIN"],
    ["identifier_country", "FIN"],
    ["telecom", "mari@example.ee"],
  ]);

  it.for(operations)("$%s", async (operation) => {
    const taken: string[] = [];
    for (const name of names) {
      const answer = await get(`$${operation}?${name}=${fitting.get(name) ?? "x"}`, ISSUE);
      if (!refusesParameter(answer, name)) taken.push(name);
    }
    expect(taken.toSorted()).toEqual([...parametersByName(operation).keys()].toSorted());
  });

  function refusesParameter({ status, json }: HttpAnswer, name: string): boolean {
    const issues: Json[] = status === 200 ? [] : json.issue;
    const ofParameter = issues.filter(({ expression }) => String(expression) === `http.${name}`);
    return codesOf({ json: { issue: ofParameter } }).includes("MPI-015");
  }
});

describe("Parameters of an operation that is offered by GET too", () => {
  it.for([
    [{ valueInteger: 1 }, "value", "valueInteger is not known"],
    [{ valueOf: "FIN" }, "valueOf", "valueOf is not known"],
    [{ valueString: 7 }, "value", "must be string"],
    [{ valueBoolean: "true" }, "value", "must be boolean"],
    [{ valueIdentifier: "1" }, "value", "must be object"],
    [{ valueIdentifier: { value: 1 } }, "value.value", "must be string"],
    [{ valueIdentifier: { system: 5, value: "1" } }, "value.system", "must be string"],
    [{ valueIdentifier: { value: "1", colour: "red" } }, "value.colour", "is not known"],
    [{ valueIdentifier: { system: "a" } }, "value.value", "is missing"],
    [{ valueReference: { display: "Mikko" } }, "value.reference", "is missing"],
    [{ valueReference: { reference: true } }, "value.reference", "must be string"],
    [
      { valueReference: { reference: "Patient/1", type: "Group" } },
      "value",
      "not to a resource that is expected there",
    ],
    [{ valueCodeableConcept: { text: "Finland" } }, "value.coding", "is missing"],
    [{ valueCodeableConcept: { coding: [{ display: "Finland" }] } }, "value.coding[0].code", "is missing"],
    [
      { valueCodeableConcept: { coding: [{ system: "https://his.example", code: "1" }, { code: "FIN" }] } },
      "value.coding",
      "no more than 1 of the element Parameters.parameter[0].value.coding",
    ],
    [{ valueCode: "FIN", valueString: "FIN" }, "value", "valueString is not known"],
  ] as const)("with %j are refused, with what is wrong", async ([value, element, wrong]) => {
    const parameter = [{ name: "identifier-country", ...value }];
    const { status, json } = await post("$foreign", parameter, { "accept-language": "en" });
    expect([status, json.issue.length]).toEqual([400, 1]);
    const expression = `Parameters.parameter[0].${element}`;
    expect(json.issue[0].expression).toEqual([expression]);
    expect(json.issue[0].details.text).toContain(`${wrong}.`);
  });

  it.for([
    ["$lookup", [{ name: "identifier", valueBoolean: true }], "[0]"],
    [
      "$legal-status",
      [
        { name: "nocache", valueBoolean: true },
        { name: "patient", valueBoolean: false },
      ],
      "[1]",
    ],
    [
      "$foreign",
      [
        { name: "identifier-country", valueCode: "FIN" },
        { name: "given", valueBoolean: true },
      ],
      "[1]",
    ],
  ] as const)(
    "of %s are refused where they say true or false of what is none: %j",
    async ([operation, parameter, place]) => {
      const answer = await post(operation, parameter);
      expect([answer.status, codesOf(answer)]).toEqual([400, ["MPI-096"]]);
      expect(answer.json.issue[0].expression).toEqual([`Parameters.parameter${place}.value`]);
    },
  );

  it("may have extensions, which say nothing to them", async () => {
    const extension = [{ url: "https://his.example/why", valueString: "x" }];
    const parameter = [{ name: "identifier-country", valueCode: "FIN", extension }];
    expect(idsOf(await post("$foreign", parameter))).toEqual([mikko]);
  });
});

describe("what is wrong with the parameters of an operation is named where it stands", () => {
  const none = `${PID}/fin/ni`;

  it.for([
    ["$foreign", [{ name: "identifier-country", valueCode: "FI" }], "identifier-country"],
    ["$foreign", [{ name: "identifier_country", valueCode: "FI" }], "identifier_country"],
    ["$foreign", [], "identifier-country"],
    ["$lookup", [{ name: "identifier", valueString: "48001010017" }], "identifier"],
    ["$lookup", [{ name: "identifier.value", valueString: "48001010017" }], "identifier.value"],
    ["$education", [{ name: "patient", valueReference: { reference: "Patient/999999" } }], "patient"],
    ["$education", [{ name: "patient", valueIdentifier: { system: none, value: "none" } }], "patient"],
    [
      "$education",
      [{ name: "patient", valueReference: { identifier: { system: none, value: "none" } } }],
      "patient",
    ],
    ["$education", [], "patient"],
  ] as const)("in the body, of %s with %j", async ([operation, parameter, name]) => {
    const { json } = await post(operation, parameter, ISSUE);
    expect(json.issue).toHaveLength(1);
    expect(json.issue[0].expression).toEqual([`Parameters.parameter.where(name='${name}')`]);
  });

  it.for(["$foreign", "$mrn"])("in the body also where %s does not know it", async (operation) => {
    const country = { name: "identifier-country", valueCode: "FIN" };
    const colour = { name: "it's red", valueCode: "red" };
    const { json } = await post(operation, operation === "$mrn" ? [colour] : [country, colour]);
    const place = operation === "$mrn" ? 0 : 1;
    expect(json.issue).toHaveLength(1);
    expect(json.issue[0].expression).toEqual([`Parameters.parameter[${place}].name`]);
  });

  it.for([
    ["$lookup?identifier.value=48001010017", "identifier.value"],
    ["$lookup?identifier.value=a|1", "identifier.value"],
    [`$lookup?identifier.value=${none}|1&source=MPI_ERROR_SYSTEM_RR`, "identifier.value"],
    ["$lookup?identifier.value=39503080128&identifier.value=39503080128", "identifier.value"],
    ["$lookup?identifier.value=", "identifier"],
    ["$foreign?identifier_country=FI", "identifier_country"],
    ["$foreign?identifier_country=FIN,LVA", "identifier_country"],
    ["$foreign?identifier_country=FIN&identifier-country=FIN", "identifier_country"],
    ["$foreign?identifier_country=", "identifier-country"],
  ] as const)("in the query, by the name that it has there: %s", async ([query, name]) => {
    const { json } = await get(query);
    expect(json.issue).toHaveLength(1);
    expect(json.issue[0].expression).toEqual([`http.${name}`]);
  });

  it("in the query, where it came in the query of a POST, and in a header", async () => {
    const query = await post("$foreign?identifier-country=FI", []);
    expect(query.json.issue[0].expression).toEqual(["http.identifier-country"]);
    const patient = { name: "patient", valueReference: { reference: "Patient/999999" } };
    const header = await post("$education", [patient]);
    expect(header.json.issue[0].expression).toEqual(["http.x-road-issue"]);
  });
});

describe("Parameters of $match", () => {
  const resource = { name: "resource", resource: { resourceType: "Patient", ...described } };

  it.for([
    ["count", [{ valueInteger: 1 }, { valueInteger: 2 }], "[2]", "no more than 1 of"],
    ["onlySingleMatch", [{ valueBoolean: true }, { valueBoolean: false }], "[2]", "no more than 1 of"],
    ["count", [{ valueInteger: "1" }], "[1].value", "must be number"],
    ["onlyCertainMatches", [{ valueBoolean: "true" }], "[1].value", "must be boolean"],
    ["onlySingleMatch", [{ valueBoolean: 1 }], "[1].value", "must be boolean"],
    ["count", [{ valueInteger: 1, valueString: "1" }], "[1].value", "is not known"],
  ] as const)("with %s as %j are refused, with what is wrong", async ([name, values, place, wrong]) => {
    const parameter = [resource, ...values.map((value) => ({ name, ...value }))];
    const answer = await post("$match", parameter, { "accept-language": "en" });
    expect([answer.status, codesOf(answer)]).toEqual([400, ["MPI-096"]]);
    const [issue] = answer.json.issue;
    expect(issue.expression).toEqual([`Parameters.parameter${place}`]);
    expect(issue.details.text).toContain(wrong);
  });

  it("are named by their place where their value cannot be", async () => {
    const answer = await post("$match", [resource, { name: "count", valueInteger: 0 }]);
    expect([answer.status, codesOf(answer)]).toEqual([400, ["MPI-096"]]);
    expect(answer.json.issue[0].expression).toEqual(["Parameters.parameter[1].value"]);
  });

  it("are refused where the query gives one of them too", async () => {
    const answer = await post("$match?count=1", [resource, { name: "count", valueInteger: 2 }]);
    expect([answer.status, codesOf(answer)]).toEqual([400, ["MPI-096"]]);
    expect(answer.json.issue[0].expression).toEqual(["Parameters.parameter[1]"]);
  });

  it("may come in XML", async () => {
    const body = `<Parameters xmlns="http://hl7.org/fhir">
      <parameter><name value="count"/><valueInteger value="1"/></parameter>
      <parameter><name value="onlyCertainMatches"/><valueBoolean value="false"/></parameter>
      <parameter><name value="resource"/><resource><Patient>
        <name><family value="Mäkinen"/><given value="Mikko"/></name><birthDate value="1967-03-05"/>
      </Patient></resource></parameter>
    </Parameters>`;
    const headers = { "content-type": "application/fhir+xml" };
    const answer = await send(`${service.url}/fhir/Patient/$match`, { method: "POST", body, headers });
    expect(idsOf(answer)).toEqual([mikko]);
  });
});
