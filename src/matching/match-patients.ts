import { type Patient, PatientSchema } from "#proto/patientindex/v1/patient_pb.ts";
import { type Fault, MpiError, refuseFor } from "../errors/index.ts";
import { writeMessage } from "../messages/index.ts";
import { showPatients, unreadablePatientNotes } from "../patients/index.ts";
import { PAGE_BYTES } from "../resources/index.ts";
import { checkStructure } from "../structure/index.ts";
import { soughtBlocks } from "./blocking/match-blocks.ts";
import { type Grade, gradeOf } from "./comparison/grade.ts";
import { type Person, personOf } from "./comparison/person.ts";
import { matchScore } from "./comparison/score.ts";
import { limitForAnotherBirthDate } from "./comparison/score-limit.ts";
import type { Matching } from "./matching.ts";
import type { Candidate } from "./ports.ts";

export interface MatchRequest {
  readonly resource: Patient | undefined;
  readonly onlyCertainMatches: boolean;
  readonly onlySingleMatch: boolean;
  /** How many at most; 20 when 0. */
  readonly count: number;
}

export interface PatientMatch {
  readonly patient: Patient;
  /** 0 to 1. */
  readonly score: number;
  readonly grade: Grade;
}

export interface MatchAnswer {
  readonly matches: PatientMatch[];
  /** What the asker should know: who could not be compared or shown (MPI-003). */
  readonly notes: Fault[];
}

type Shown = Pick<Awaited<ReturnType<typeof showPatients>>, "shown" | "unreadable">;

interface Scored {
  readonly personId: bigint;
  readonly score: number;
  readonly grade: Grade;
}

const DEFAULT_COUNT = 20;
const MOST_MATCHES = 100;
/** How often an answer is begun anew while links change: no request is as unlucky as that. */
const LOOKS = 10;
/** So many records are compared, those that share most with the description. */
const MOST_CANDIDATES = 300;
const PARAMETER = "Parameters.parameter.where(name='resource')";
const RESOURCE = `${PARAMETER}.resource`;

/**
 * Patients who may be the person that a resource describes, the most likely first (FHIR R5, Patient/$match). A linked
 * group is one person: its primary is shown, with the score of the member that fits best. Where they are too large for
 * an answer the least likely are left out. MPI-078 without a resource, MPI-015 for one that says nothing to compare by,
 * MPI-096 for one that is no Patient.
 */
export async function matchPatients(matching: Matching, request: MatchRequest): Promise<MatchAnswer> {
  const sought = soughtPerson(request);
  for (let look = 1; ; look++) {
    const answer = await compareAndShow(matching, sought, request);
    // Somebody linked it below another between the comparison and this: then that one stands for both.
    const isLinkedSince = answer.matches.some(({ patient }) => isSecondary(patient));
    if (!isLinkedSince || look === LOOKS) return answer;
  }
}

async function compareAndShow(
  matching: Matching,
  sought: Person,
  request: MatchRequest,
): Promise<MatchAnswer> {
  const identifiers = sought.identifiers.map(({ value }) => ({ value }));
  const holders = identifiers.length > 0 ? await matching.patients.store.holders(identifiers) : [];
  const best = new Map<bigint, Scored>();
  const unread = new Set<bigint>();
  const lookedFor = { blocks: soughtBlocks(sought), bornAbout: bornAbout(sought) };
  for await (const records of matching.store.candidates(lookedFor, holders, MOST_CANDIDATES)) {
    scorePersons(sought, records.candidates, best);
    for (const { id } of records.unreadable) unread.add(id);
  }
  const chosen = choose(likeliestFirst(best), request);
  const { shown, unreadable } = await showFirst(
    matching,
    chosen.map(({ personId }) => personId),
  );
  const matches = chosen.flatMap(({ personId, score, grade }) => {
    const patient = shown.get(personId);
    return patient ? [{ patient, score, grade }] : [];
  });
  return { matches, notes: unreadablePatientNotes(unread.union(new Set(unreadable))) };
}

/** Where the birth date decides, namesakes who were born on quite another day need not be compared. */
function bornAbout(sought: Person): string | undefined {
  const { birthDate } = sought;
  const decides = birthDate?.length === 10 && gradeOf(limitForAnotherBirthDate(sought)) === "certainly-not";
  return decides ? birthDate : undefined;
}

function isSecondary({ link }: Patient): boolean {
  return link.some(({ type }) => type === "replaced-by");
}

/** As many as fit into an answer, the first ones. */
async function showFirst({ patients }: Matching, ids: readonly bigint[]): Promise<Shown> {
  const together = await showPatients(patients, ids);
  if (!together.isCut) return together;
  const shown = new Map<bigint, Patient>();
  const unreadable: bigint[] = [];
  let bytes = 0;
  for (const id of ids) {
    const one = await showPatients(patients, [id]);
    const patient = one.shown.get(id);
    bytes += patient ? writeMessage(PatientSchema, patient).length : 0;
    if (bytes > PAGE_BYTES && shown.size > 0) break;
    if (patient) shown.set(id, patient);
    unreadable.push(...one.unreadable);
  }
  return { shown, unreadable };
}

function soughtPerson({ resource, count }: MatchRequest): Person {
  if (!resource) throw new MpiError("PARAMETER_REQUIRED", { param: "resource" }, { expression: [PARAMETER] });
  refuseFor(checkStructure(PatientSchema, resource));
  if (count < 0)
    throw new MpiError("PARAMETER_MALFORMED", { param: "count" }, { expression: ["http.count"] });
  const sought = personOf(resource);
  if (sought.identifiers.length === 0 && soughtBlocks(sought).length === 0) {
    throw new MpiError("SEARCH_PARAMETERS_UNSUITABLE", {}, { expression: [RESOURCE] });
  }
  return sought;
}

/** Notes each person once, by the record that fits best; who is certainly somebody else is left out. */
function scorePersons(sought: Person, candidates: readonly Candidate[], best: Map<bigint, Scored>): void {
  for (const { personId, patient } of candidates) {
    const score = matchScore(sought, personOf(patient));
    const grade = gradeOf(score);
    if (grade !== "certainly-not" && score > (best.get(personId)?.score ?? 0)) {
      best.set(personId, { personId, score, grade });
    }
  }
}

function likeliestFirst(best: ReadonlyMap<bigint, Scored>): Scored[] {
  return [...best.values()].sort(
    (one, other) => other.score - one.score || (one.personId < other.personId ? -1 : 1),
  );
}

function choose(
  scored: readonly Scored[],
  { onlyCertainMatches, onlySingleMatch, count }: MatchRequest,
): readonly Scored[] {
  const fitting = onlyCertainMatches ? scored.filter(({ grade }) => grade === "certain") : scored;
  if (!onlySingleMatch) return fitting.slice(0, count === 0 ? DEFAULT_COUNT : Math.min(count, MOST_MATCHES));
  const [first, second] = fitting;
  return first && first.score > (second?.score ?? 0) ? [first] : [];
}
