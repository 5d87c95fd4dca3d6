import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { refusalOf } from "../clients.ts";
import { PID, verifiedPatient } from "../patients/examples.ts";
import { type Contacts, somebody, startContacts } from "./contacts.ts";

let contacts: Contacts;

beforeAll(async () => {
  contacts = await startContacts();
});

afterAll(async () => {
  await contacts.stop();
});

describe("a search for contact persons", () => {
  it("finds those of a patient, last changed first, by any of the ways to name the patient", async () => {
    const { id, value, reference } = await contacts.newPatient();
    const first = await contacts.create(somebody(reference));
    const second = await contacts.create(somebody(reference, { active: false }));
    for (const by of [
      ["patient", `Patient/${id}`],
      ["patient", id],
      ["patient", `Patient/${id}/_history/1`],
      ["patient.identifier", `${PID}/fin/ni|${value}`],
      ["patient.identifier", `${PID}|${value}`],
      ["patient:identifier", `${PID}/fin|${value}`],
    ] as [string, string][]) {
      const found = await contacts.search(by);
      expect(found.relatedPersons.map((one) => one.id)).toEqual([second.id, first.id]);
      expect(found).toMatchObject({ totalSize: 2n, page: 1, pageSize: 20, nextPageToken: "" });
    }
  });

  it("narrows by active, sorts and pages", async () => {
    const { id, reference } = await contacts.newPatient();
    const first = await contacts.create(somebody(reference));
    const second = await contacts.create(somebody(reference));
    const passive = await contacts.create(somebody(reference, { active: false }));
    const active = await contacts.search(["patient", id], ["active", "true"], ["_sort", "_lastUpdated"]);
    expect(active.relatedPersons.map((one) => one.id)).toEqual([first.id, second.id]);
    expect((await contacts.search(["patient", id], ["active", "false"])).relatedPersons).toEqual([passive]);
    const page = await contacts.search(["patient", id], ["_count", "2"], ["_page", "2"]);
    expect(page).toMatchObject({ totalSize: 3n, page: 2, pageSize: 2, nextPageToken: "" });
    expect(page.relatedPersons).toEqual([first]);
  });

  it("finds nothing where two ways name different patients", async () => {
    const [one, other] = [await contacts.newPatient(), await contacts.newPatient()];
    await contacts.create(somebody(one.reference));
    const both = await contacts.search(["patient", one.id], ["patient.identifier", `${PID}|${other.value}`]);
    expect(both.totalSize).toBe(0n);
  });

  it("shows the elements asked for", async () => {
    const { id, reference } = await contacts.newPatient();
    await contacts.create(somebody(reference));
    const [found] = (await contacts.search(["patient", id], ["_elements", "name.family"])).relatedPersons;
    expect(found?.name).toMatchObject([{ family: "Virtanen", given: [] }]);
    expect(found?.identifier).toEqual([]);
    expect(found?.meta?.tag.map(({ code }) => code)).toEqual(["SUBSETTED"]);
  });

  it.each<[string, [string, string][], string]>([
    ["no parameter", [], "MPI-015"],
    ["no patient", [["active", "true"]], "MPI-015"],
    [
      "an unknown parameter",
      [
        ["patient", "1"],
        ["name", "x"],
      ],
      "MPI-015 http.name",
    ],
    ["a reference to another resource", [["patient", "Group/1"]], "MPI-015 http.patient"],
    ["an identifier without a system", [["patient.identifier", "7"]], "MPI-015 http.patient.identifier"],
    [
      "a wrong flag",
      [
        ["patient", "1"],
        ["active", "yes"],
      ],
      "MPI-015 http.active",
    ],
    ...["", " ", "_lastUpdated,"].map((value): [string, [string, string][], string] => [
      `no value in ${JSON.stringify(value)}`,
      [
        ["patient", "1"],
        ["_sort", value],
      ],
      "MPI-015 http._sort",
    ]),
    ...[
      ["_page", "0"],
      ["_page", "1x"],
      ["_count", "x1"],
    ].map(([name = "", value = ""]): [string, [string, string][], string] => [
      `no number in ${name}=${value}`,
      [
        ["patient", "1"],
        [name, value],
      ],
      `MPI-015 http.${name}`,
    ]),
    ["two values", [["patient", "1,2"]], "MPI-075 http.patient"],
    [
      "a repetition",
      [
        ["patient", "1"],
        ["patient", "1"],
      ],
      "MPI-080 http.patient",
    ],
    [
      "another order",
      [
        ["patient", "1"],
        ["_sort", "name"],
      ],
      "MPI-037 http._sort",
    ],
    ["a patient who is nobody", [["patient", "Patient/999999999"]], "MPI-021 http.patient"],
    ["an identifier of nobody", [["patient.identifier", `${PID}|nobody`]], "MPI-045 http.patient.identifier"],
  ])("is refused for %s", async (_, parameters, issue) => {
    expect((await refusalOf(contacts.search(...parameters))).issues).toEqual([issue]);
  });

  it("is refused for an identifier of several patients", async () => {
    const value = randomUUID();
    for (const country of ["swe", "nor"]) {
      const identifier = [{ system: `${PID}/${country}/ni`, value }];
      await contacts.grpc.patients.createPatient({ patient: verifiedPatient({ identifier }) });
    }
    const { status, issues } = await refusalOf(contacts.search(["patient.identifier", `${PID}|${value}`]));
    expect({ status, issues }).toEqual({
      status: "FailedPrecondition",
      issues: ["MPI-046 http.patient.identifier"],
    });
  });

  it("passes over what it does not know when the searcher is lenient", async () => {
    const { id, reference } = await contacts.newPatient();
    const created = await contacts.create(somebody(reference));
    const found = await contacts.grpc.relatedPersons.searchRelatedPersons({
      parameters: [
        { name: "patient", value: id },
        { name: "name", value: "x" },
      ],
      lenient: true,
    });
    expect(found.relatedPersons).toEqual([created]);
    expect(found.issues.map(({ code, expressions }) => [code, ...expressions])).toEqual([
      ["MPI-015", "http.name"],
    ]);
  });
});
