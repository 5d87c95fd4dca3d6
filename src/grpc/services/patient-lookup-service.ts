import type { ServiceImpl } from "@connectrpc/connect";
import type { PatientLookupService } from "#proto/patientindex/v1/patient_lookup_service_pb.ts";
import { lookupPatients, type PatientIndex } from "../../patients/index.ts";

/** PatientLookupService on the look-up of patients. */
export function patientLookupService(index: PatientIndex): ServiceImpl<typeof PatientLookupService> {
  return {
    async lookupPatients({ parameters }) {
      return { patients: await lookupPatients(index, parameters) };
    },
  };
}
