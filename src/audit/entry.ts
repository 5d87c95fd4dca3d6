/** What was done to the data of a patient: AuditEvent.action of FHIR. */
export type AuditAction = "C" | "R" | "U" | "D" | "E";

/** Whoever did it; of one who was refused as a caller, as much as a good token or trusted headers said. */
export interface AuditActor {
  /** Personal code, without the country. */
  readonly personalCode?: string | undefined;
  readonly name?: string | undefined;
  readonly role?: string | undefined;
  /** Registry code of the organisation. */
  readonly organization?: string | undefined;
  readonly application?: string | undefined;
  /** Personal code of the person whom the actor represents. */
  readonly represented?: string | undefined;
}

/** The part of an entry that says who and why: it names people, so it is sealed where it is kept. */
export interface AuditContent {
  readonly action: AuditAction;
  /** The method, such as `PatientService/ReadPatient`; none in background work of the index itself. */
  readonly method?: string | undefined;
  readonly requestId?: string | undefined;
  /** None when nothing was known of the caller, and in background work. */
  readonly actor?: AuditActor | undefined;
  /** URI of the register whose data were written, whoever asked for them. */
  readonly register?: string | undefined;
  /** x-road-issue: why, in the caller's words. */
  readonly issue?: string | undefined;
  /** Code and meaning by which the call was refused, such as `MPI-072 PATIENT_RESOURCE_NOT_FOUND`; none when it was answered. */
  readonly refusal?: string | undefined;
  /** The resources of the patient, such as `RelatedPerson/70001`; none for the patient itself. */
  readonly resources?: readonly string[] | undefined;
}

/** What one call did with the data of one patient (spec security.md, Audit). */
export interface AuditEntry extends AuditContent {
  readonly recordedAt: Date;
  /** undefined when a refused call named nobody. */
  readonly patientId: bigint | undefined;
}
