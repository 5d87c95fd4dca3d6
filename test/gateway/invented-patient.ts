let last = 0;

/** A patient that the index takes; the identifier is a new one unless given. */
export function inventedPatient(changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  last += 1;
  return {
    resourceType: "Patient",
    meta: { profile: ["https://fhir.ee/mpi/StructureDefinition/ee-mpi-patient-verified"] },
    identifier: [{ system: "https://fhir.ee/sid/pid/fin/ppn", value: `T${Date.now()}N${last}` }],
    name: [{ use: "official", family: "Virtanen", given: ["Aino"] }],
    gender: "female",
    birthDate: "1980-02-03",
    ...changes,
  };
}
