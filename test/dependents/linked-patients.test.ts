import { create } from "@bufbuild/protobuf";
import { createClient } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ContainedResourceSchema } from "#proto/patientindex/v1/contained_resource_pb.ts";
import { IdentifierSchema } from "#proto/patientindex/v1/datatypes_pb.ts";
import { LinkageService } from "#proto/patientindex/v1/linkage_service_pb.ts";
import { refusalOf } from "../clients.ts";
import { maritalStatus, type ObservationInit } from "../observations/examples.ts";
import { PID } from "../patients/examples.ts";
import {
  type Contacts,
  type PatientUnderTest,
  somebody,
  startContacts,
} from "../related-persons/contacts.ts";

let contacts: Contacts;

beforeAll(async () => {
  contacts = await startContacts();
});

afterAll(() => contacts.stop());

/** A primary, two secondaries below it, and nobody else. */
async function group() {
  const [primary, secondary, another] = [
    await contacts.newPatient(),
    await contacts.newPatient(),
    await contacts.newPatient(),
  ];
  await link(secondary, primary);
  await link(another, primary);
  return { primary, secondary, another };
}

async function link(source: PatientUnderTest, target: PatientUnderTest): Promise<void> {
  const linkage = createClient(LinkageService, contacts.grpc.transport);
  await linkage.linkPatients({ source: { id: source.id }, target: { id: target.id } });
}

function identifierOf({ value }: PatientUnderTest) {
  return create(IdentifierSchema, { system: `${PID}/fin/ni`, value });
}

describe("a contact person of a linked patient", () => {
  it("may be nobody of the group, whichever of them it lies with (MPI-096)", async () => {
    const { primary, secondary, another } = await group();
    for (const [patient, self] of [
      [primary, secondary],
      [secondary, primary],
      [secondary, another],
    ] as const) {
      const given = somebody(patient.reference, { identifier: [identifierOf(self)] });
      expect((await refusalOf(contacts.create(given))).issues).toEqual([
        "MPI-096 RelatedPerson.identifier[0]",
      ]);
    }
  });

  it("may be whoever was released from the group", async () => {
    const { primary, secondary } = await group();
    const linkage = createClient(LinkageService, contacts.grpc.transport);
    await linkage.unlinkPatients({ source: { id: secondary.id }, target: { id: primary.id } });
    const given = somebody(primary.reference, { identifier: [identifierOf(secondary)] });
    expect(await contacts.create(given)).toMatchObject({ identifier: given.identifier });
  });
});

describe("a contact person whose identifier became the patient's later", () => {
  it("is put back as it was read, by a link or by a change of the patient", async () => {
    const [patient, other] = [await contacts.newPatient(), await contacts.newPatient()];
    const linked = await contacts.create(somebody(patient.reference, { identifier: [identifierOf(other)] }));
    const contact = await contacts.create(somebody(patient.reference));
    await link(other, patient);
    const { patient: read } = await contacts.grpc.patients.readPatient({ id: patient.id });
    if (!read) throw new Error("The answer holds nobody.");
    const identifier = [...read.identifier, ...contact.identifier];
    await contacts.grpc.patients.updatePatient({ id: patient.id, patient: { ...read, identifier } });
    for (const one of [linked, contact]) {
      const { relatedPerson } = await contacts.grpc.relatedPersons.updateRelatedPerson({
        id: one.id ?? "",
        relatedPerson: { ...one, language: "et" },
      });
      expect(relatedPerson).toMatchObject({ etag: 'W/"2"', identifier: one.identifier });
    }
  });

  it("takes no other identifier of the patient (MPI-096)", async () => {
    const { primary, secondary } = await group();
    const { id = "", ...contact } = await contacts.create(somebody(primary.reference));
    const identifier = [...contact.identifier, identifierOf(secondary)];
    const changed = contacts.grpc.relatedPersons.updateRelatedPerson({
      id,
      relatedPerson: { ...contact, id, identifier },
    });
    expect((await refusalOf(changed)).issues).toEqual(["MPI-096 RelatedPerson.identifier[1]"]);
  });
});

async function marry(subject: PatientUnderTest, changes: ObservationInit) {
  const observation = maritalStatus({ subject: subject.reference, ...changes });
  const created = await contacts.grpc.observations.createObservation({ observation });
  if (!created.observation) throw new Error("The answer holds nothing.");
  return created.observation;
}

describe("the other person of a linked patient's marital status", () => {
  it("is a relation of anybody of the group, by address or identifier", async () => {
    const { primary, secondary, another } = await group();
    const spouse = await contacts.create(somebody(secondary.reference));
    for (const subject of [primary, secondary, another]) {
      for (const focus of [
        { reference: `RelatedPerson/${spouse.id}` },
        { identifier: spouse.identifier[0] },
      ]) {
        expect((await marry(subject, { focus: [focus] })).focus).toMatchObject([focus]);
      }
    }
  });

  it("is a relation by an identifier of any record of theirs, whichever of these is named", async () => {
    const { primary, secondary, another } = await group();
    const patient = await contacts.newPatient();
    await contacts.create(somebody(patient.reference, { identifier: [identifierOf(secondary)] }));
    for (const { reference } of [primary, secondary, another]) {
      expect((await marry(patient, { focus: [reference] })).focus).toMatchObject([reference]);
    }
  });

  it("is no relation of somebody else's (MPI-034)", async () => {
    const { primary } = await group();
    const spouse = await contacts.create(somebody((await contacts.newPatient()).reference));
    const focus = [{ reference: `RelatedPerson/${spouse.id}` }];
    expect((await refusalOf(marry(primary, { focus }))).issues).toEqual(["MPI-034 Observation.focus[0]"]);
  });
});

describe("a marital status whose relation has ended since", () => {
  async function widowed() {
    const patient = await contacts.newPatient();
    const spouse = await contacts.create(somebody(patient.reference));
    const { active, relationship, period, identifier } = spouse;
    const value = { id: "x", active, patient: patient.reference, relationship, period, identifier };
    const contained = [create(ContainedResourceSchema, { resource: { case: "relatedPerson", value } })];
    const focus = [{ reference: `RelatedPerson/${spouse.id}` }];
    const statuses = [
      await marry(patient, { focus }),
      await marry(patient, { contained, focus: [{ reference: "#x" }] }),
    ];
    await contacts.grpc.relatedPersons.deleteRelatedPerson({ id: spouse.id ?? "" });
    return { patient, spouse, statuses };
  }

  it("is corrected with the same person as before", async () => {
    const { statuses } = await widowed();
    for (const status of statuses) {
      const { observation } = await contacts.grpc.observations.updateObservation({
        id: status.id ?? "",
        observation: { ...status, issued: "2020-01-02T03:04:05Z" },
      });
      expect(observation).toMatchObject({ etag: 'W/"2"', focus: status.focus });
    }
  });

  it("is not given another person, nor is that person named anew (MPI-034)", async () => {
    const { patient, spouse, statuses } = await widowed();
    const focus = [{ reference: `RelatedPerson/${spouse.id}` }];
    expect((await refusalOf(marry(patient, { focus }))).issues).toEqual(["MPI-034 Observation.focus[0]"]);
    const [status] = statuses;
    const stranger = await contacts.create(somebody((await contacts.newPatient()).reference));
    const both = [...focus, { reference: `RelatedPerson/${stranger.id}` }];
    const changed = contacts.grpc.observations.updateObservation({
      id: status?.id ?? "",
      observation: maritalStatus({ subject: patient.reference, focus: both }),
    });
    expect((await refusalOf(changed)).issues).toEqual(["MPI-034 Observation.focus[1]"]);
  });
});
