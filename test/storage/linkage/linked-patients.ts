import { randomUUID } from "node:crypto";
import { create } from "@bufbuild/protobuf";
import { type PatientSelector, PatientSelectorSchema } from "#proto/patientindex/v1/linkage_service_pb.ts";
import type { Patient } from "#proto/patientindex/v1/patient_pb.ts";
import { type CatalogueVersion, defaultErrorSystems } from "../../../src/errors/index.ts";
import { type Linkage, linkPatients, type Telling, unlinkPatients } from "../../../src/linkage/index.ts";
import { type PatientIndex, readPatient } from "../../../src/patients/index.ts";
import { linkStore } from "../../../src/storage/index.ts";
import { type PatientInit, PID, verifiedPatient } from "../../patients/examples.ts";
import { noAddressRegistry, noRegister } from "../../registers/no-register.ts";
import { openStore, type StoreUnderTest } from "../patients/store.ts";

/** Patients and their links on a database of its own; patients are named by their ids. */
export interface LinkageUnderTest extends StoreUnderTest {
  readonly linkage: Linkage;
  readonly index: PatientIndex;
  /** A new patient whose identifiers are of these systems (fin/ni unless told), with values of its own. */
  add(systems?: readonly string[], init?: PatientInit): Promise<string>;
  link(source: string, target: string, version?: CatalogueVersion): Promise<Patient>;
  unlink(one: string, other: string, version?: CatalogueVersion): Promise<Patient>;
  read(id: string): Promise<Patient>;
}

export async function openLinkage(telling: Telling = "outbox"): Promise<LinkageUnderTest> {
  const opened = await openStore();
  const index: PatientIndex = {
    store: opened.store,
    now: () => new Date(),
    indexSystem: defaultErrorSystems.MPI,
    searchLimits: { maximum: 1000, batch: 100, registerSystem: defaultErrorSystems.RR },
    intake: noRegister(opened.store),
    addresses: noAddressRegistry,
  };
  const linkage: Linkage = { patients: index, links: linkStore(opened.database, opened.ring), telling };
  return {
    ...opened,
    linkage,
    index,
    async add(systems = ["fin/ni"], init = {}) {
      const identifier = systems.map((system) => ({ system: `${PID}/${system}`, value: randomUUID() }));
      const { id = "" } = await opened.store.create(verifiedPatient({ identifier, ...init }), index.now());
      return id;
    },
    link: (source, target, version = "1.5.0") =>
      linkPatients(linkage, { source: byId(source), target: byId(target) }, version),
    unlink: (one, other, version = "1.5.0") =>
      unlinkPatients(linkage, { source: byId(one), target: byId(other) }, version),
    read: (id) => readPatient(index, id, []),
  };
}

export function byId(id: string): PatientSelector {
  return create(PatientSelectorSchema, { id });
}

/** The links that a patient shows, such as `replaces 7`. */
export function linksOf(patient: Patient): string[] {
  return patient.link.map(({ type, other }) => `${type} ${other?.reference?.replace("Patient/", "")}`);
}

/** The values of the identifiers that a patient shows, those of others than itself included. */
export function valuesOf(patient: Patient): (string | undefined)[] {
  return patient.identifier.map(({ value }) => value);
}
