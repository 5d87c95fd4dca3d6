import { randomUUID } from "node:crypto";
import { create as message } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ChangeInteraction } from "#proto/patientindex/v1/change_interaction_pb.ts";
import { type Observation, ObservationSchema } from "#proto/patientindex/v1/observation_pb.ts";
import { type GrpcClients, grpcClients, refusalOf, refusalsOf } from "../clients.ts";
import { PID, verifiedPatient } from "../patients/examples.ts";
import { contactPerson } from "../related-persons/examples.ts";
import { type RunningService, startService } from "../service.ts";
import { MARITAL_STATUS_SYSTEM, maritalStatus, type ObservationInit } from "./examples.ts";

const MARITAL_STATUS = "http://snomed.info/sct|125680007";

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

async function create(subject: { reference: string }, changes: ObservationInit = {}): Promise<Observation> {
  const given = maritalStatus({ subject, ...changes });
  const { observation } = await grpc.observations.createObservation({ observation: given });
  if (!observation) throw new Error("The answer holds nothing.");
  return observation;
}

/** A contact person of a patient. */
async function relate(patient: { reference: string }, value = randomUUID(), active = true) {
  const identifier = [{ system: `${PID}/fin/ni`, value }];
  const relatedPerson = contactPerson({ patient, identifier, active });
  const created = await grpc.relatedPersons.createRelatedPerson({ relatedPerson });
  return created.relatedPerson?.id ?? "";
}

function search(...parameters: [name: string, value: string][]) {
  return grpc.observations.searchObservations({
    parameters: parameters.map(([name, value]) => ({ name, value })),
  });
}

describe("a marital status", () => {
  it("is stored with its patient, changed, and read as it was", async () => {
    const { id, reference } = await newPatient();
    const created = await create(reference);
    expect(created).toMatchObject({ id: `${id}0001`, etag: 'W/"1"', subject: reference });
    const widowed = {
      ...created,
      value: maritalStatus({
        value: {
          case: "valueCodeableConcept",
          value: { coding: [{ system: MARITAL_STATUS_SYSTEM, code: "W" }] },
        },
      }).value,
    };
    const changed = await grpc.observations.updateObservation({
      id: created.id ?? "",
      observation: widowed,
    });
    expect(changed.observation).toMatchObject({ etag: 'W/"2"', value: widowed.value });
    const read = await grpc.observations.readObservation({ id: created.id ?? "" });
    expect(read).toMatchObject({ observation: changed.observation });
    const first = await grpc.observations.readObservationVersion({
      id: created.id ?? "",
      versionId: "1",
    });
    expect(first.observation).toEqual(created);
  });

  it("is the only observation that is taken", async () => {
    const { reference } = await newPatient();
    const code = { coding: [{ system: "http://snomed.info/sct", code: "271649006" }] };
    expect(await refusalOf(create(reference, { code }))).toEqual({
      status: "InvalidArgument",
      issues: ["MPI-096 Observation.code"],
    });
  });

  it("is refused for all that is wrong with it at once, without a word on relations of nobody", async () => {
    const { issues } = await refusalOf(
      create(
        { reference: "Patient/999999999" },
        { status: "preliminary", focus: [{ reference: "RelatedPerson/9990001" }] },
      ),
    );
    expect(issues).toEqual(["MPI-021 Observation.subject", "MPI-096 Observation.status"]);
  });

  it("needs a subject that is a patient", async () => {
    const group = await refusalOf(create({ reference: "Group/1" }));
    expect(group.issues).toEqual(["MPI-096 Observation.subject"]);
    const observation = message(ObservationSchema, { ...maritalStatus(), subject: undefined as never });
    const nobody = await refusalOf(grpc.observations.createObservation({ observation }));
    expect(nobody.issues).toEqual(["MPI-096 Observation.subject"]);
  });
});

describe("the other person of a marital status", () => {
  it("is an active relation of the patient, by address, by identifier or by the other's own record", async () => {
    const [patient, spouse] = [await newPatient(), await newPatient()];
    const contact = await relate(patient.reference, spouse.value);
    for (const focus of [
      { reference: `RelatedPerson/${contact}` },
      { identifier: { system: `${PID}/fin/ni`, value: spouse.value } },
      { reference: `Patient/${spouse.id}` },
    ]) {
      expect((await create(patient.reference, { focus: [focus] })).focus).toMatchObject([focus]);
    }
  });

  it("is refused when it is none, passive, deleted, or another patient's", async () => {
    const [patient, other] = [await newPatient(), await newPatient()];
    const passive = await relate(patient.reference, randomUUID(), false);
    const deleted = await relate(patient.reference);
    await grpc.relatedPersons.deleteRelatedPerson({ id: deleted });
    const ofOther = await relate(other.reference);
    for (const reference of [
      `RelatedPerson/${passive}`,
      `RelatedPerson/${deleted}`,
      `RelatedPerson/${ofOther}`,
      `Patient/${other.id}`,
      "Patient/999999999",
    ]) {
      expect(await refusalOf(create(patient.reference, { focus: [{ reference }] }))).toEqual({
        status: "FailedPrecondition",
        issues: ["MPI-034 Observation.focus[0]"],
      });
    }
  });
});

describe("a deleted marital status", () => {
  it("is gone and keeps its versions", async () => {
    const { id: patientId, reference } = await newPatient();
    const created = await create(reference);
    const { id = "" } = created;
    expect((await grpc.observations.deleteObservation({ id, etag: created.etag })).etag).toBe('W/"2"');
    const refusals = await refusalsOf([
      grpc.observations.readObservation({ id }),
      grpc.observations.readObservationVersion({ id, versionId: "2" }),
      grpc.observations.updateObservation({ id, observation: { ...created, etag: "" } }),
    ]);
    expect(refusals).toEqual(Array(3).fill({ status: "NotFound", issues: ["MPI-074"] }));
    const { changes } = await grpc.observations.listObservationHistory({ id, oldestFirst: true });
    expect(changes.map(({ interaction }) => interaction)).toEqual([
      ChangeInteraction.CREATE,
      ChangeInteraction.DELETE,
    ]);
    expect((await search(["patient", patientId])).observations).toEqual([]);
  });

  it("never was under an id of a contact person", async () => {
    const { reference } = await newPatient();
    const id = await relate(reference);
    expect((await refusalOf(grpc.observations.readObservation({ id }))).issues).toEqual(["MPI-074"]);
    expect((await refusalOf(grpc.observations.deleteObservation({ id }))).issues).toEqual(["MPI-074"]);
  });
});

describe("a search for observations", () => {
  it("finds those of a patient by patient, subject and their identifiers", async () => {
    const { id, value, reference } = await newPatient();
    const created = await create(reference);
    for (const by of [
      ["patient", `Patient/${id}`],
      ["subject", `Patient/${id}`],
      ["patient.identifier", `${PID}/fin/ni|${value}`],
      ["subject:identifier", `${PID}/fin/ni|${value}`],
    ] as [string, string][]) {
      expect((await search(by)).observations).toEqual([created]);
    }
  });

  it.each([
    ["125680007", 1n],
    [MARITAL_STATUS, 1n],
    ["http://snomed.info/sct|", 1n],
    [`http://loinc.org|45404-1,${MARITAL_STATUS}`, 1n],
    ["|125680007", 0n],
    ["http://loinc.org|125680007", 0n],
    ["45404-1", 0n],
  ])("by code %s finds %d", async (code, total) => {
    const { id, reference } = await newPatient();
    await create(reference);
    expect((await search(["patient", id], ["code", code])).totalSize).toBe(total);
  });

  it("needs a patient and codes that are some", async () => {
    const refusals = await refusalsOf([
      search(["code", MARITAL_STATUS]),
      search(["patient", "1"], ["code", "|"]),
      search(["patient", "1"], ["value-concept", "M"]),
    ]);
    expect(refusals.map(({ issues }) => issues)).toEqual([
      ["MPI-015"],
      ["MPI-015 http.code"],
      ["MPI-015 http.value-concept"],
    ]);
  });
});
