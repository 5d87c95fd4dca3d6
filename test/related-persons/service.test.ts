import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ChangeInteraction } from "#proto/patientindex/v1/change_interaction_pb.ts";
import { refusalOf, refusalsOf } from "../clients.ts";
import { PID } from "../patients/examples.ts";
import { type Contacts, somebody, startContacts } from "./contacts.ts";
import { CONTACT } from "./examples.ts";

let contacts: Contacts;

beforeAll(async () => {
  contacts = await startContacts();
});

afterAll(async () => {
  await contacts.stop();
});

describe("a contact person", () => {
  it("is stored with its patient and read as it was stored", async () => {
    const { id, reference } = await contacts.newPatient();
    const given = somebody(reference);
    const created = await contacts.create(given);
    expect(created).toMatchObject({ id: `${id}0001`, etag: 'W/"1"', patient: reference });
    expect(created.identifier).toEqual(given.identifier);
    const read = await contacts.grpc.relatedPersons.readRelatedPerson({ id: created.id ?? "" });
    expect(read.relatedPerson).toEqual(created);
  });

  it("names its patient by the address of it or of a version, or by an identifier, and is stored with the plain one", async () => {
    const { id, value, reference } = await contacts.newPatient();
    const identifier = { system: `${PID}/fin/ni`, value };
    for (const patient of [{ reference: `Patient/${id}/_history/1` }, { identifier }]) {
      const created = await contacts.create(somebody({ reference: "" }, { patient }));
      expect(created.patient?.reference).toBe(reference.reference);
    }
  });

  it("is not to a patient whom its reference calls something else", async () => {
    const { value, reference } = await contacts.newPatient();
    const named = [{ reference: reference.reference }, { identifier: { system: `${PID}/fin/ni`, value } }];
    for (const one of named) {
      const typed = (type: string) =>
        contacts.create(somebody({ reference: "" }, { patient: { ...one, type }, active: false }));
      expect(await refusalOf(typed("Group"))).toEqual({
        status: "InvalidArgument",
        issues: ["MPI-096 RelatedPerson.patient"],
      });
      for (const type of ["Patient", "http://hl7.org/fhir/StructureDefinition/Patient"])
        expect((await typed(type)).patient).toMatchObject({ reference: reference.reference, type });
    }
  });

  it.each([
    ["nobody's id", { reference: "Patient/999999999" }, "NotFound", "MPI-021 RelatedPerson.patient"],
    ["what is no id of ours", { reference: "Patient/x" }, "NotFound", "MPI-021 RelatedPerson.patient"],
    [
      "a patient of another server",
      { reference: "https://other.example/fhir/Patient/1" },
      "InvalidArgument",
      "MPI-096 RelatedPerson.patient",
    ],
    ["another resource", { reference: "Group/7" }, "InvalidArgument", "MPI-096 RelatedPerson.patient"],
    [
      "nobody's identifier",
      { identifier: { system: `${PID}/fin/ni`, value: "nobody" } },
      "NotFound",
      "MPI-045 RelatedPerson.patient.identifier",
    ],
  ])("with %s for a patient is refused", async (_, patient, status, issue) => {
    const refusal = await refusalOf(contacts.create(somebody({ reference: "" }, { patient })));
    expect(refusal).toEqual({ status, issues: [issue] });
  });

  it("is refused for all that is wrong with it at once", async () => {
    const bad = somebody(
      { reference: "Patient/999999999" },
      { relationship: [{ coding: [{ ...CONTACT.coding[0], code: "X" }] }], telecom: [{ value: "1" }] },
    );
    const { issues } = await refusalOf(contacts.create(bad));
    expect(issues).toEqual([
      "MPI-021 RelatedPerson.patient",
      "MPI-018 RelatedPerson.relationship[0].coding[0].code",
      "MPI-008 RelatedPerson.telecom[0].system",
    ]);
  });

  it("may not be the patient", async () => {
    const { value, reference } = await contacts.newPatient();
    const identifier = [{ system: `${PID}/fin/ni`, value }];
    const { issues } = await refusalOf(contacts.create(somebody(reference, { identifier })));
    expect(issues).toEqual(["MPI-096 RelatedPerson.identifier[0]"]);
  });

  it("is there once in the same relation", async () => {
    const { reference } = await contacts.newPatient();
    const { identifier } = await contacts.create(somebody(reference));
    const again = somebody(reference, { identifier });
    expect((await refusalOf(contacts.create(again))).issues).toEqual(["MPI-041 RelatedPerson.identifier[0]"]);
    expect(await contacts.create(somebody(reference, { identifier, relationship: [CONTACT] }))).toBeDefined();
  });

  it("is there in two relations after a change of one, and not twice in the same", async () => {
    const { reference } = await contacts.newPatient();
    const spouse = await contacts.create(somebody(reference));
    const { identifier } = spouse;
    const contact = await contacts.create(somebody(reference, { identifier, relationship: [CONTACT] }));
    const change = { ...contact, relationship: spouse.relationship };
    const update = contacts.grpc.relatedPersons.updateRelatedPerson({
      id: contact.id ?? "",
      relatedPerson: change,
    });
    expect((await refusalOf(update)).issues).toEqual(["MPI-041 RelatedPerson.identifier[0]"]);
  });
});

describe("a changed contact person", () => {
  it("stays with its patient and under its id", async () => {
    const [one, other] = [await contacts.newPatient(), await contacts.newPatient()];
    const created = await contacts.create(somebody(one.reference));
    const { id = "" } = created;
    const moved = { ...created, patient: somebody(other.reference).patient };
    expect(
      await refusalOf(contacts.grpc.relatedPersons.updateRelatedPerson({ id, relatedPerson: moved })),
    ).toEqual({
      status: "InvalidArgument",
      issues: ["MPI-096 RelatedPerson.patient"],
    });
    const renamed = { ...created, id: `${id}1` };
    expect(
      (await refusalOf(contacts.grpc.relatedPersons.updateRelatedPerson({ id, relatedPerson: renamed })))
        .issues,
    ).toEqual(["MPI-096 RelatedPerson.id"]);
  });

  it("is written over the version that its etag names and over no other", async () => {
    const { reference } = await contacts.newPatient();
    const created = await contacts.create(somebody(reference));
    const { id = "" } = created;
    await contacts.grpc.relatedPersons.updateRelatedPerson({ id, relatedPerson: created });
    const stale = contacts.grpc.relatedPersons.updateRelatedPerson({ id, relatedPerson: created });
    expect((await refusalOf(stale)).status).toBe("Aborted");
    const blind = { ...created, etag: "" };
    const third = await contacts.grpc.relatedPersons.updateRelatedPerson({ id, relatedPerson: blind });
    expect(third.relatedPerson?.etag).toBe('W/"3"');
    const first = await contacts.grpc.relatedPersons.readRelatedPersonVersion({ id, versionId: "1" });
    expect(first.relatedPerson).toEqual(created);
  });

  it("is not found when it never was", async () => {
    const { id, reference } = await contacts.newPatient();
    const relatedPerson = somebody(reference);
    for (const nobody of [`${id}0009`, `${id}0000`, "7", "x", "99999990001"]) {
      const refusals = await refusalsOf([
        contacts.grpc.relatedPersons.readRelatedPerson({ id: nobody }),
        contacts.grpc.relatedPersons.readRelatedPersonVersion({ id: nobody, versionId: "1" }),
        contacts.grpc.relatedPersons.updateRelatedPerson({ id: nobody, relatedPerson }),
        contacts.grpc.relatedPersons.deleteRelatedPerson({ id: nobody }),
        contacts.grpc.relatedPersons.listRelatedPersonHistory({ id: nobody }),
      ]);
      expect(refusals).toEqual(Array(5).fill({ status: "NotFound", issues: ["MPI-073"] }));
    }
  });
});

describe("a deleted contact person", () => {
  it("is gone, cannot come back, and keeps its versions", async () => {
    const { id: patientId, reference } = await contacts.newPatient();
    const created = await contacts.create(somebody(reference));
    const { id = "" } = created;
    expect((await contacts.grpc.relatedPersons.deleteRelatedPerson({ id })).etag).toBe('W/"2"');
    expect((await contacts.grpc.relatedPersons.deleteRelatedPerson({ id })).etag).toBe('W/"2"');
    const refusals = await refusalsOf([
      contacts.grpc.relatedPersons.readRelatedPerson({ id }),
      contacts.grpc.relatedPersons.readRelatedPersonVersion({ id, versionId: "2" }),
      contacts.grpc.relatedPersons.updateRelatedPerson({ id, relatedPerson: { ...created, etag: "" } }),
    ]);
    expect(refusals).toEqual(Array(3).fill({ status: "NotFound", issues: ["MPI-073"] }));
    const first = await contacts.grpc.relatedPersons.readRelatedPersonVersion({ id, versionId: "1" });
    expect(first.relatedPerson).toEqual(created);
    const missing = contacts.grpc.relatedPersons.readRelatedPersonVersion({ id, versionId: "3" });
    expect((await refusalOf(missing)).issues).toEqual(["MPI-079"]);
    const { changes, totalSize } = await contacts.grpc.relatedPersons.listRelatedPersonHistory({ id });
    expect(totalSize).toBe(2n);
    expect(changes.map(({ interaction }) => interaction)).toEqual([
      ChangeInteraction.DELETE,
      ChangeInteraction.CREATE,
    ]);
    expect((await contacts.search(["patient", patientId])).totalSize).toBe(0n);
  });

  it("was deleted in the version that the etag names, else it stays", async () => {
    const { reference } = await contacts.newPatient();
    const { id = "" } = await contacts.create(somebody(reference));
    const stale = contacts.grpc.relatedPersons.deleteRelatedPerson({ id, etag: 'W/"7"' });
    expect((await refusalOf(stale)).status).toBe("Aborted");
    expect((await contacts.grpc.relatedPersons.deleteRelatedPerson({ id, etag: '"1"' })).etag).toBe('W/"2"');
  });
});

describe("the change feed of contact persons", () => {
  it("shows each change once to a reader who follows it", async () => {
    const { reference } = await contacts.newPatient();
    const start = await contacts.grpc.relatedPersons.listRelatedPersonChanges({
      oldestFirst: true,
      pageSize: 100,
    });
    const { id = "" } = await contacts.create(somebody(reference));
    await contacts.grpc.relatedPersons.deleteRelatedPerson({ id });
    const pageToken = start.nextPageToken;
    const next = await contacts.grpc.relatedPersons.listRelatedPersonChanges({
      oldestFirst: true,
      pageToken,
    });
    expect(next.changes.map(({ relatedPerson, interaction }) => [relatedPerson?.id, interaction])).toEqual([
      [id, ChangeInteraction.CREATE],
      [id, ChangeInteraction.DELETE],
    ]);
    expect(next.totalSize).toBe(start.totalSize + 2n);
  });
});
