import { randomUUID } from "node:crypto";
import type { RelatedPerson } from "#proto/patientindex/v1/related_person_pb.ts";
import { type GrpcClients, grpcClients } from "../clients.ts";
import { PID, verifiedPatient } from "../patients/examples.ts";
import { startService } from "../service.ts";
import { contactPerson, type RelatedPersonInit } from "./examples.ts";

/** A patient with a national code of its own. */
export interface PatientUnderTest {
  readonly id: string;
  /** The national code, Finnish. */
  readonly value: string;
  readonly reference: { reference: string };
}

/** A running service, and what its contact persons are tried with. */
export interface Contacts {
  readonly grpc: GrpcClients;
  newPatient(): Promise<PatientUnderTest>;
  create(relatedPerson: RelatedPerson): Promise<RelatedPerson>;
  search(
    ...parameters: [name: string, value: string][]
  ): ReturnType<GrpcClients["relatedPersons"]["searchRelatedPersons"]>;
  stop(): Promise<void>;
}

export async function startContacts(): Promise<Contacts> {
  const service = await startService();
  const grpc = grpcClients(service.grpcPort);
  return {
    grpc,
    async newPatient() {
      const value = randomUUID();
      const identifier = [{ system: `${PID}/fin/ni`, value }];
      const { patient } = await grpc.patients.createPatient({ patient: verifiedPatient({ identifier }) });
      return { id: patient?.id ?? "", value, reference: { reference: `Patient/${patient?.id}` } };
    },
    async create(relatedPerson) {
      const created = await grpc.relatedPersons.createRelatedPerson({ relatedPerson });
      if (!created.relatedPerson) throw new Error("The answer holds nobody.");
      return created.relatedPerson;
    },
    search: (...parameters) =>
      grpc.relatedPersons.searchRelatedPersons({
        parameters: parameters.map(([name, value]) => ({ name, value })),
      }),
    async stop() {
      grpc.close();
      await service.stop();
    },
  };
}

/** A contact person whom nobody else is. */
export function somebody(patient: { reference: string }, changes: RelatedPersonInit = {}): RelatedPerson {
  const identifier = [{ system: `${PID}/swe/ni`, value: randomUUID() }];
  return contactPerson({ patient, identifier, ...changes });
}
