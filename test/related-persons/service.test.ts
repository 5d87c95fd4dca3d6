import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ChangeInteraction } from "#proto/patientindex/v1/change_interaction_pb.ts";
import type { RelatedPerson } from "#proto/patientindex/v1/related_person_pb.ts";
import { type GrpcClients, grpcClients, refusalOf, refusalsOf } from "../clients.ts";
import { PID, verifiedPatient } from "../patients/examples.ts";
import { type RunningService, startService } from "../service.ts";
import { CONTACT, contactPerson, type RelatedPersonInit, SPOUSE } from "./examples.ts";

let service: RunningService;
let grpc: GrpcClients;

beforeAll(async () => {
  service = await startService();
  grpc = grpcClients(service.grpcPort);
});

afterAll(async () => {
  grpc.close();
  await service.stop();
});

/** A stored patient with a national code of its own. */
async function newPatient() {
  const value = randomUUID();
  const identifier = [{ system: `${PID}/fin/ni`, value }];
  const { patient } = await grpc.patients.createPatient({ patient: verifiedPatient({ identifier }) });
  return { id: patient?.id ?? "", value, reference: { reference: `Patient/${patient?.id}` } };
}

async function create(relatedPerson: RelatedPerson): Promise<RelatedPerson> {
  const created = await grpc.relatedPersons.createRelatedPerson({ relatedPerson });
  if (!created.relatedPerson) throw new Error("The answer holds nobody.");
  return created.relatedPerson;
}

/** A contact person whom nobody else is. */
function somebody(patient: { reference: string }, changes: RelatedPersonInit = {}): RelatedPerson {
  const identifier = [{ system: `${PID}/swe/ni`, value: randomUUID() }];
  return contactPerson({ patient, identifier, ...changes });
}

function search(...parameters: [name: string, value: string][]) {
  return grpc.relatedPersons.searchRelatedPersons({
    parameters: parameters.map(([name, value]) => ({ name, value })),
  });
}

describe("a contact person", () => {
  it("is stored with its patient and read as it was stored", async () => {
    const { id, reference } = await newPatient();
    const given = somebody(reference);
    const created = await create(given);
    expect(created).toMatchObject({ id: `${id}0001`, etag: 'W/"1"', patient: reference });
    expect(created.identifier).toEqual(given.identifier);
    const read = await grpc.relatedPersons.readRelatedPerson({ id: created.id ?? "" });
    expect(read.relatedPerson).toEqual(created);
  });

  it("names its patient by any address or by an identifier, and is stored with the plain one", async () => {
    const { id, value, reference } = await newPatient();
    const identifier = { system: `${PID}/fin/ni`, value };
    for (const patient of [
      { reference: `https://mpi.example.ee/fhir/Patient/${id}` },
      { reference: `Patient/${id}/_history/1` },
      { identifier },
    ]) {
      const created = await create(somebody({ reference: "" }, { patient }));
      expect(created.patient?.reference).toBe(reference.reference);
    }
  });

  it.each([
    ["nobody's id", { reference: "Patient/999999999" }, "NotFound", "MPI-021 RelatedPerson.patient"],
    ["what is no id of ours", { reference: "Patient/x" }, "NotFound", "MPI-021 RelatedPerson.patient"],
    ["another resource", { reference: "Group/7" }, "InvalidArgument", "MPI-096 RelatedPerson.patient"],
    [
      "nobody's identifier",
      { identifier: { system: `${PID}/fin/ni`, value: "nobody" } },
      "NotFound",
      "MPI-045 RelatedPerson.patient.identifier",
    ],
  ])("with %s for a patient is refused", async (_, patient, status, issue) => {
    const refusal = await refusalOf(create(somebody({ reference: "" }, { patient })));
    expect(refusal).toEqual({ status, issues: [issue] });
  });

  it("is refused for all that is wrong with it at once", async () => {
    const bad = somebody(
      { reference: "Patient/999999999" },
      { relationship: [{ coding: [{ ...CONTACT.coding[0], code: "X" }] }], telecom: [{ value: "1" }] },
    );
    const { issues } = await refusalOf(create(bad));
    expect(issues).toEqual([
      "MPI-021 RelatedPerson.patient",
      "MPI-018 RelatedPerson.relationship[0].coding[0].code",
      "MPI-008 RelatedPerson.telecom[0].system",
    ]);
  });

  it("may not be the patient", async () => {
    const { value, reference } = await newPatient();
    const identifier = [{ system: `${PID}/fin/ni`, value }];
    const { issues } = await refusalOf(create(somebody(reference, { identifier })));
    expect(issues).toEqual(["MPI-096 RelatedPerson.identifier[0]"]);
  });

  it("is there once in the same relation", async () => {
    const { reference } = await newPatient();
    const { identifier } = await create(somebody(reference));
    const again = somebody(reference, { identifier });
    expect((await refusalOf(create(again))).issues).toEqual(["MPI-041 RelatedPerson.identifier[0]"]);
    expect(await create(somebody(reference, { identifier, relationship: [CONTACT] }))).toBeDefined();
  });

  it("is there in two relations after a change of one, and not twice in the same", async () => {
    const { reference } = await newPatient();
    const spouse = await create(somebody(reference));
    const { identifier } = spouse;
    const contact = await create(somebody(reference, { identifier, relationship: [CONTACT] }));
    const change = { ...contact, relationship: spouse.relationship };
    const update = grpc.relatedPersons.updateRelatedPerson({ id: contact.id ?? "", relatedPerson: change });
    expect((await refusalOf(update)).issues).toEqual(["MPI-041 RelatedPerson.identifier[0]"]);
  });
});

describe("the limit of contact persons", () => {
  it("counts those that are active, not ended and of kind CON", async () => {
    const { reference } = await newPatient();
    await create(somebody(reference, { active: false }));
    await create(somebody(reference, { period: { start: "2001", end: "2002" } }));
    await create(somebody(reference, { relationship: [SPOUSE] }));
    for (let n = 0; n < 3; n++) await create(somebody(reference));
    const { status, issues } = await refusalOf(create(somebody(reference)));
    expect({ status, issues }).toEqual({ status: "FailedPrecondition", issues: ["MPI-042 RelatedPerson"] });
  });

  it("holds when an ended one comes back, and leaves a change of those who count alone", async () => {
    const { reference } = await newPatient();
    const passive = await create(somebody(reference, { active: false }));
    const [first] = [await create(somebody(reference)), await create(somebody(reference))];
    await create(somebody(reference));
    const revived = { ...passive, active: true };
    const revive = grpc.relatedPersons.updateRelatedPerson({
      id: passive.id ?? "",
      relatedPerson: revived,
    });
    expect((await refusalOf(revive)).issues).toEqual(["MPI-042 RelatedPerson"]);
    const changed = { ...first, gender: "other" };
    const answer = await grpc.relatedPersons.updateRelatedPerson({
      id: first.id ?? "",
      relatedPerson: changed,
    });
    expect(answer.relatedPerson).toMatchObject({ etag: 'W/"2"', gender: "other" });
  });

  it("leaves exactly three of twenty that come at once", async () => {
    const { id, reference } = await newPatient();
    const attempts = Array.from({ length: 20 }, () => create(somebody(reference)));
    const outcomes = await Promise.allSettled(attempts);
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
    expect((await search(["patient", `Patient/${id}`])).totalSize).toBe(3n);
    for (const attempt of attempts.filter((_, at) => outcomes[at]?.status === "rejected")) {
      expect((await refusalOf(attempt)).issues).toEqual(["MPI-042 RelatedPerson"]);
    }
  });

  it("is free again when one is deleted", async () => {
    const { reference } = await newPatient();
    const { id = "" } = await create(somebody(reference));
    await create(somebody(reference));
    await create(somebody(reference));
    await grpc.relatedPersons.deleteRelatedPerson({ id });
    expect((await create(somebody(reference))).id).toBe(`${reference.reference.slice(8)}0004`);
  });

  it("lets one identifier in once, of many that come at once", async () => {
    const { reference } = await newPatient();
    const given = somebody(reference);
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => create(given)));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });
});

describe("a changed contact person", () => {
  it("stays with its patient and under its id", async () => {
    const [one, other] = [await newPatient(), await newPatient()];
    const created = await create(somebody(one.reference));
    const { id = "" } = created;
    const moved = { ...created, patient: somebody(other.reference).patient };
    expect(await refusalOf(grpc.relatedPersons.updateRelatedPerson({ id, relatedPerson: moved }))).toEqual({
      status: "InvalidArgument",
      issues: ["MPI-096 RelatedPerson.patient"],
    });
    const renamed = { ...created, id: `${id}1` };
    expect(
      (await refusalOf(grpc.relatedPersons.updateRelatedPerson({ id, relatedPerson: renamed }))).issues,
    ).toEqual(["MPI-096 RelatedPerson.id"]);
  });

  it("is written over the version that its etag names and over no other", async () => {
    const { reference } = await newPatient();
    const created = await create(somebody(reference));
    const { id = "" } = created;
    await grpc.relatedPersons.updateRelatedPerson({ id, relatedPerson: created });
    const stale = grpc.relatedPersons.updateRelatedPerson({ id, relatedPerson: created });
    expect((await refusalOf(stale)).status).toBe("Aborted");
    const blind = { ...created, etag: "" };
    const third = await grpc.relatedPersons.updateRelatedPerson({ id, relatedPerson: blind });
    expect(third.relatedPerson?.etag).toBe('W/"3"');
    const first = await grpc.relatedPersons.readRelatedPersonVersion({ id, versionId: "1" });
    expect(first.relatedPerson).toEqual(created);
  });

  it("is not found when it never was", async () => {
    const { id, reference } = await newPatient();
    const relatedPerson = somebody(reference);
    for (const nobody of [`${id}0009`, `${id}0000`, "7", "x", "99999990001"]) {
      const refusals = await refusalsOf([
        grpc.relatedPersons.readRelatedPerson({ id: nobody }),
        grpc.relatedPersons.readRelatedPersonVersion({ id: nobody, versionId: "1" }),
        grpc.relatedPersons.updateRelatedPerson({ id: nobody, relatedPerson }),
        grpc.relatedPersons.deleteRelatedPerson({ id: nobody }),
        grpc.relatedPersons.listRelatedPersonHistory({ id: nobody }),
      ]);
      expect(refusals).toEqual(Array(5).fill({ status: "NotFound", issues: ["MPI-073"] }));
    }
  });
});

describe("a deleted contact person", () => {
  it("is gone, cannot come back, and keeps its versions", async () => {
    const { id: patientId, reference } = await newPatient();
    const created = await create(somebody(reference));
    const { id = "" } = created;
    expect((await grpc.relatedPersons.deleteRelatedPerson({ id })).etag).toBe('W/"2"');
    expect((await grpc.relatedPersons.deleteRelatedPerson({ id })).etag).toBe('W/"2"');
    const refusals = await refusalsOf([
      grpc.relatedPersons.readRelatedPerson({ id }),
      grpc.relatedPersons.readRelatedPersonVersion({ id, versionId: "2" }),
      grpc.relatedPersons.updateRelatedPerson({ id, relatedPerson: { ...created, etag: "" } }),
    ]);
    expect(refusals).toEqual(Array(3).fill({ status: "NotFound", issues: ["MPI-073"] }));
    const first = await grpc.relatedPersons.readRelatedPersonVersion({ id, versionId: "1" });
    expect(first.relatedPerson).toEqual(created);
    const missing = grpc.relatedPersons.readRelatedPersonVersion({ id, versionId: "3" });
    expect((await refusalOf(missing)).issues).toEqual(["MPI-079"]);
    const { changes, totalSize } = await grpc.relatedPersons.listRelatedPersonHistory({ id });
    expect(totalSize).toBe(2n);
    expect(changes.map(({ interaction }) => interaction)).toEqual([
      ChangeInteraction.DELETE,
      ChangeInteraction.CREATE,
    ]);
    expect((await search(["patient", patientId])).totalSize).toBe(0n);
  });

  it("was deleted in the version that the etag names, else it stays", async () => {
    const { reference } = await newPatient();
    const { id = "" } = await create(somebody(reference));
    const stale = grpc.relatedPersons.deleteRelatedPerson({ id, etag: 'W/"7"' });
    expect((await refusalOf(stale)).status).toBe("Aborted");
    expect((await grpc.relatedPersons.deleteRelatedPerson({ id, etag: '"1"' })).etag).toBe('W/"2"');
  });
});

describe("the change feed of contact persons", () => {
  it("shows each change once to a reader who follows it", async () => {
    const { reference } = await newPatient();
    const start = await grpc.relatedPersons.listRelatedPersonChanges({ oldestFirst: true, pageSize: 100 });
    const { id = "" } = await create(somebody(reference));
    await grpc.relatedPersons.deleteRelatedPerson({ id });
    const pageToken = start.nextPageToken;
    const next = await grpc.relatedPersons.listRelatedPersonChanges({ oldestFirst: true, pageToken });
    expect(next.changes.map(({ relatedPerson, interaction }) => [relatedPerson?.id, interaction])).toEqual([
      [id, ChangeInteraction.CREATE],
      [id, ChangeInteraction.DELETE],
    ]);
    expect(next.totalSize).toBe(start.totalSize + 2n);
  });
});

describe("a search for contact persons", () => {
  it("finds those of a patient, last changed first, by any of the ways to name the patient", async () => {
    const { id, value, reference } = await newPatient();
    const first = await create(somebody(reference));
    const second = await create(somebody(reference, { active: false }));
    for (const by of [
      ["patient", `Patient/${id}`],
      ["patient", id],
      ["patient", `http://127.0.0.1/fhir/Patient/${id}`],
      ["patient.identifier", `${PID}/fin/ni|${value}`],
      ["patient.identifier", `${PID}|${value}`],
      ["patient:identifier", `${PID}/fin|${value}`],
    ] as [string, string][]) {
      const found = await search(by);
      expect(found.relatedPersons.map((one) => one.id)).toEqual([second.id, first.id]);
      expect(found).toMatchObject({ totalSize: 2n, page: 1, pageSize: 20, nextPageToken: "" });
    }
  });

  it("narrows by active, sorts and pages", async () => {
    const { id, reference } = await newPatient();
    const first = await create(somebody(reference));
    const second = await create(somebody(reference));
    const passive = await create(somebody(reference, { active: false }));
    const active = await search(["patient", id], ["active", "true"], ["_sort", "_lastUpdated"]);
    expect(active.relatedPersons.map((one) => one.id)).toEqual([first.id, second.id]);
    expect((await search(["patient", id], ["active", "false"])).relatedPersons).toEqual([passive]);
    const page = await search(["patient", id], ["_count", "2"], ["_page", "2"]);
    expect(page).toMatchObject({ totalSize: 3n, page: 2, pageSize: 2, nextPageToken: "" });
    expect(page.relatedPersons).toEqual([first]);
  });

  it("finds nothing where two ways name different patients", async () => {
    const [one, other] = [await newPatient(), await newPatient()];
    await create(somebody(one.reference));
    const both = await search(["patient", one.id], ["patient.identifier", `${PID}|${other.value}`]);
    expect(both.totalSize).toBe(0n);
  });

  it("shows the elements asked for", async () => {
    const { id, reference } = await newPatient();
    await create(somebody(reference));
    const [found] = (await search(["patient", id], ["_elements", "name.family"])).relatedPersons;
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
    expect((await refusalOf(search(...parameters))).issues).toEqual([issue]);
  });

  it("is refused for an identifier of several patients", async () => {
    const value = randomUUID();
    for (const country of ["swe", "nor"]) {
      const identifier = [{ system: `${PID}/${country}/ni`, value }];
      await grpc.patients.createPatient({ patient: verifiedPatient({ identifier }) });
    }
    const { status, issues } = await refusalOf(search(["patient.identifier", `${PID}|${value}`]));
    expect({ status, issues }).toEqual({
      status: "FailedPrecondition",
      issues: ["MPI-046 http.patient.identifier"],
    });
  });

  it("passes over what it does not know when the searcher is lenient", async () => {
    const { id, reference } = await newPatient();
    const created = await create(somebody(reference));
    const found = await grpc.relatedPersons.searchRelatedPersons({
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
