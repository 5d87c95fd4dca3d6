import { type Fault, MpiError, refuseFor } from "../errors/index.ts";
import { checkStructure } from "../structure/index.ts";
import type { ContentRules, DependentIndex } from "./dependent-index.ts";
import { namedPatient, nobody, storedReference } from "./named-patient.ts";
import { type Dependent, NumbersExhausted } from "./ports.ts";

/**
 * Stores a new dependent with the patient that it names (MPI-021 when there is none, beside all that the rules find).
 * The rules are asked under the lock of the patient: what they allow still holds when it is stored.
 */
export async function createDependent<Resource extends Dependent>(
  index: DependentIndex<Resource>,
  given: Resource,
): Promise<Resource> {
  const { kind } = index;
  refuseFor(checkStructure(kind.schema, given));
  const rules = await kind.rulesFor(given);
  const patient = await namedPatient(index, given);
  if (!patient || "fault" in patient) {
    throw refusalWithoutPatient(patient ? [patient.fault] : [], rules);
  }
  const created = await store(index, given, patient.id, rules);
  if (!created) throw refusalWithoutPatient([nobody(`${kind.type}.${kind.patientElement}`)], rules);
  return created;
}

async function store<Resource extends Dependent>(
  { kind, store, now }: DependentIndex<Resource>,
  given: Resource,
  patientId: bigint,
  rules: ContentRules<Resource>,
): Promise<Resource | undefined> {
  try {
    return await store.create(patientId, now(), (around) => {
      const { resource, faults } = rules(around);
      refuseFor(faults);
      return kind.withPatient(resource, storedReference(kind.patientOf(given), patientId));
    });
  } catch (cause) {
    if (!(cause instanceof NumbersExhausted)) throw cause;
    throw new MpiError("TOO_MANY_DEPENDENTS", { type: kind.type }, { cause, expression: [kind.type] });
  }
}

/** A body without a patient is refused for that, and for whatever else is wrong with it. */
function refusalWithoutPatient<Resource>(
  ofPatient: readonly Fault[],
  rules: ContentRules<Resource>,
): MpiError {
  const [first, ...others] = [...ofPatient, ...rules(undefined).faults];
  return first ? MpiError.of([first, ...others]) : new MpiError("PATIENT_NOT_FOUND");
}
