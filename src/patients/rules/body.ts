import type { Address, Identifier } from "#proto/patientindex/v1/datatypes_pb.ts";
import type { Patient } from "#proto/patientindex/v1/patient_pb.ts";
import type { Placed } from "../../content-rules/index.ts";

/** A patient as a client gave it, with those of its identifiers and addresses that are the client's to give. */
export interface PatientBody {
  readonly patient: Patient;
  readonly identifiers: readonly Placed<Identifier>[];
  readonly addresses: readonly Placed<Address>[];
}
