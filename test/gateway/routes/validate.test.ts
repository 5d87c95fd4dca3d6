import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { doctor } from "../../callers.ts";
import { type RunningService, startService } from "../../service.ts";
import { marriageOf, spouseOf } from "../family.ts";
import { codesOf, type HttpAnswer, send } from "../http-client.ts";
import { inventedPatient } from "../invented-patient.ts";
import { sendXml } from "../xml-client.ts";

type Json = Record<string, unknown>;
type Issue = { readonly details: { readonly text: string } };

let service: RunningService;
let base: string;
let patient: Json & { id: string };
let contact: Json & { id: string };

beforeAll(async () => {
  service = await startService();
  base = `${service.url}/fhir`;
  patient = (await post("Patient", inventedPatient())).json;
  contact = (await post("RelatedPerson", spouseOf(`Patient/${patient.id}`))).json;
});

afterAll(() => service.stop());

function post(path: string, body: Json, headers: Record<string, string> = {}): Promise<HttpAnswer> {
  return send(`${base}/${path}`, { method: "POST", body: JSON.stringify(body), headers });
}

function parameters(...parameter: Json[]): Json {
  return { resourceType: "Parameters", parameter };
}

/** Status, severities and expressions of an OperationOutcome. */
function outcome({ status, json }: HttpAnswer): unknown[] {
  expect(json.resourceType).toBe("OperationOutcome");
  const issues: { severity: string; expression?: string[] }[] = json.issue;
  return [status, ...issues.flatMap(({ severity, expression }) => [severity, ...(expression ?? [])])];
}

const SOUND = [200, "information"];

describe("$validate", () => {
  test("of what could be stored finds nothing, and stores nothing", async () => {
    const fresh = inventedPatient();
    for (const body of [fresh, parameters({ name: "resource", resource: fresh })]) {
      expect(outcome(await post("Patient/$validate", body))).toEqual(SOUND);
    }
    const other = spouseOf(`Patient/${patient.id}`);
    expect(outcome(await post("RelatedPerson/$validate", other))).toEqual(SOUND);
    expect(outcome(await post("Observation/$validate", marriageOf(`Patient/${patient.id}`)))).toEqual(SOUND);
    expect((await send(`${base}/RelatedPerson?patient=Patient/${patient.id}`)).json.total).toBe(1);
    expect((await send(`${base}/Patient/_history?_count=0`)).json.total).toBe(1);
  });

  test("of many contact persons of one patient at once answers each", async () => {
    const other = spouseOf(`Patient/${patient.id}`);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => post("RelatedPerson/$validate", other)),
    );
    expect(answers.map(outcome)).toEqual(Array(20).fill(SOUND));
  });

  test("says everything that is wrong, by rules and by what is stored", async () => {
    const wrong = { ...inventedPatient({ gender: "none" }), telecom: [{ system: "phone", value: "1" }] };
    expect(outcome(await post("Patient/$validate", wrong))).toEqual([
      200,
      ...["error", "Patient.telecom[0].value", "error", "Patient.gender"],
    ]);
    const { id: _id, ...same } = patient;
    expect(outcome(await post("Patient/$validate", same))).toEqual([200, "error", "Patient.identifier"]);
    expect(outcome(await post("RelatedPerson/$validate", spouseOf("Patient/999999")))).toEqual([
      ...[200, "error", "RelatedPerson.patient"],
    ]);
  });

  test("says what is wrong with the structure", async () => {
    const broken = inventedPatient({ colour: "red", birthDate: "yesterday" });
    expect(outcome(await post("Patient/$validate", broken))).toEqual([
      ...[200, "error", "Patient.birthDate", "error", "Patient.colour"],
    ]);
  });

  test.each([
    ["an unknown element", '<foo value="1"/>', ["Patient.foo"]],
    ["another order", '<gender value="male"/><active value="true"/>', ["Patient.active"]],
    [
      "values that are none",
      '<active value="1"/><birthDate value="x"/>',
      ["Patient.active", "Patient.birthDate"],
    ],
  ])("says what is wrong with the structure of XML as of JSON: %s", async (_what, content, expected) => {
    const found = [200, ...expected.flatMap((expression) => ["error", expression])];
    const bare = `<Patient xmlns="http://hl7.org/fhir">${content}</Patient>`;
    const inParameters = `<Parameters xmlns="http://hl7.org/fhir"><parameter><name value="resource"/><resource>${bare}</resource></parameter></Parameters>`;
    for (const body of [bare, inParameters]) {
      expect(outcome(await sendXml(`${base}/Patient/$validate`, { method: "POST", body }))).toEqual(found);
    }
    const matched = await sendXml(`${base}/Patient/$match`, { method: "POST", body: inParameters });
    expect(outcome(matched)).toEqual([400, ...found.slice(1)]);
  });

  test("refuses what cannot be read at all, and Parameters that are none", async () => {
    const wrong = '<Parameters xmlns="http://hl7.org/fhir"><foo value="1"/></Parameters>';
    for (const [body, code] of [
      ["<Patient", "MPI-007"],
      [wrong, "MPI-096"],
    ] as const) {
      const answer = await sendXml(`${base}/Patient/$validate`, { method: "POST", body });
      expect([answer.status, codesOf(answer)]).toEqual([400, [code]]);
    }
  });

  test("says no more faults than the write does: a thousand of the structure", async () => {
    const name = Array.from({ length: 1_200 }, () => ({ colour: "red" }));
    for (const path of ["Patient", "Patient/$validate"]) {
      const { json } = await post(path, inventedPatient({ name }));
      expect(json.issue).toHaveLength(1_000);
      expect(json.issue[999].expression).toEqual(["Patient.name[999].colour"]);
    }
  });

  test("of an instance is of its update, its deletion, or of what is stored", async () => {
    const path = `Patient/${patient.id}/$validate`;
    expect(outcome(await send(`${base}/${path}`))).toEqual(SOUND);
    expect(outcome(await post(path, { ...patient, gender: "other" }))).toEqual(SOUND);
    expect(outcome(await post(path, { ...patient, identifier: [] }))).toEqual([
      ...[200, "error", "Patient.identifier"],
    ]);
    const removal = `RelatedPerson/${contact.id}/$validate`;
    expect(outcome(await send(`${base}/${removal}?mode=delete`))).toEqual(SOUND);
    expect(outcome(await post(removal, parameters({ name: "mode", valueCode: "delete" })))).toEqual(SOUND);
    expect((await send(`${base}/RelatedPerson/${contact.id}`)).json.meta.versionId).toBe("1");
    expect((await send(`${base}/Patient/${patient.id}`)).json).toEqual(patient);
  });

  test("holds to the profile that is named instead of the one that is claimed", async () => {
    const profile = "https://fhir.ee/mpi/StructureDefinition/ee-mpi-patient-newborn";
    const { status, json } = await post(`Patient/$validate?profile=${profile}`, inventedPatient());
    expect([status, json.issue[0].severity]).toEqual([200, "error"]);
    expect(JSON.stringify(json)).toContain("ee-mpi-patient-newborn");
  });

  test.each(["", "a%20b"])(
    "of the profile %j, which is none, is refused for the parameter",
    async (profile) => {
      const answer = await post(`Patient/$validate?profile=${profile}`, inventedPatient());
      expect([answer.status, answer.json.issue[0].expression]).toEqual([400, ["http.profile"]]);
    },
  );

  test.each([
    ["nobody", "Patient/999999/$validate", 404],
    ["a deletion of a patient", "Patient/1/$validate?mode=delete", 405],
    ["another mode", "Patient/1/$validate?mode=guess", 400],
    ["a parameter that it does not know", "Patient/1/$validate?colour=red", 400],
  ])("of %s is refused", async (_what, path, expected) => {
    const { status, json } = await send(`${base}/${path.replace("Patient/1/", `Patient/${patient.id}/`)}`);
    expect([status, json.issue[0].severity]).toEqual([expected, "error"]);
  });

  test("of a type without a resource, or with something else than Parameters say, is refused", async () => {
    const empty = await send(`${base}/Patient/$validate`, { method: "POST" });
    expect([empty.status, codesOf(empty)]).toEqual([400, ["MPI-096"]]);
    for (const body of [{ resourceType: "Parameters" }, parameters({ name: "mode", valueCode: "create" })]) {
      const bare = await post("Patient/$validate", body);
      expect(codesOf(bare)).toEqual(["MPI-078"]);
      expect(outcome(bare)).toEqual([400, "error", "Parameters.parameter.where(name='resource')"]);
    }
    const odd = await post("Patient/$validate", parameters({ name: "colour", valueCode: "red" }));
    expect(outcome(odd)).toEqual([400, "error", "Parameters.parameter[0].name"]);
  });

  test.each([
    ["the body", "", { name: "mode", valueCode: "update" }],
    ["query and body", "?mode=update", undefined],
  ])("with a parameter given twice, in %s, is refused", async (_where, query, again) => {
    const given = [{ name: "mode", valueCode: "delete" }, ...(again ? [again] : [])];
    const twice = await post(`RelatedPerson/${contact.id}/$validate${query}`, parameters(...given));
    expect(codesOf(twice)).toEqual(["MPI-096"]);
    expect(outcome(twice)).toEqual([400, "error", `Parameters.parameter[${given.length - 1}]`]);
  });

  test("of what is stored needs the rights to read it and to write it, whatever is there", async () => {
    const as = { ...doctor, role: "steward" };
    const student = { ...doctor, role: "student" };
    const refusals = async (path: string, who: typeof doctor) => {
      const answer = await send(`${base}/${path}`, { as: who });
      return [answer.status, ...answer.json.issue.map(({ details }: Issue) => details.text)];
    };
    const [read, update] = ["read Patient", "update Patient"].map(
      (name) => `The interaction ${name} is not allowed.`,
    );
    for (const id of [patient.id, "999999"]) {
      expect(await refusals(`Patient/${id}/$validate`, as)).toEqual([403, read, update]);
      expect(await refusals(`Patient/${id}/$validate`, student)).toEqual([403, update]);
    }
  });

  test("takes a parameter only as the type that it is of", async () => {
    const mode = { name: "mode", valueBoolean: true };
    expect(outcome(await post("Patient/$validate", parameters(mode)))).toEqual([
      ...[400, "error", "Parameters.parameter[0].value", "error", "Parameters.parameter[0].value"],
    ]);
  });
});
