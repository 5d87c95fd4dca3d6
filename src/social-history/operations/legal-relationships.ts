import { equals } from "@bufbuild/protobuf";
import {
  type PersonSummary,
  PersonSummarySchema,
  type Relation,
} from "#proto/patientindex/registers/v1/population_register_service_pb.ts";
import type { SearchParameter } from "#proto/patientindex/v1/search_parameter_pb.ts";
import { failingAs } from "../../registers/ports.ts";
import { unsuitable } from "../../search/index.ts";
import { today } from "../../time/days.ts";
import { answerOf, type HistoryAnswer } from "../answer.ts";
import { type GivenValues, readCodes, understand } from "../asked-operation.ts";
import { type Custodies, custodiesInForce } from "../custody.ts";
import {
  CODE_SYSTEM,
  conceptOf,
  nationalConcept,
  type ObservationKind,
  observed,
  personPerformer,
  ROLE_CODE,
  SNOMED,
} from "../observation.ts";
import type { SocialHistory } from "../social-history.ts";

const KIND: ObservationKind = { profile: "legal-relationship", code: { system: SNOMED, code: "125676002" } };
const CUSTODY = "186063005";
const CUSTODY_TYPES = "hooldusoiguse-liik";
const DEFAULT_CUSTODY: readonly string[] = ["H10", "H11", "H12"];

/** $legal-relationship: an observation for each relation and each type of custody in it. */
export async function listLegalRelationships(
  history: SocialHistory,
  parameters: readonly SearchParameter[],
): Promise<HistoryAnswer> {
  const { patient, noCache, own } = await understand(
    history,
    parameters,
    ["relationship-type", "custody-type"],
    (given) => ({
      types: readWanted(given, "relationship-type", ROLE_CODE),
      custody: readWanted(given, "custody-type", CODE_SYSTEM + CUSTODY_TYPES),
    }),
  );
  const { population } = history.registers;
  const query = { personalCode: patient.personalCode, noCache };
  const [{ relations }, custodies] = await failingAs(["RR_INTEGRATION_FAILED"], () =>
    Promise.all([population.listRelations(query), population.listCustodies(query)]),
  );
  const now = history.now();
  const inForce = custodiesInForce(custodies, patient, today(now));
  const wanted = { types: own.types, custody: own.custody.length > 0 ? own.custody : DEFAULT_CUSTODY };
  const observations = relationsWithCustody(relations, inForce, wanted).flatMap(
    ({ type, custody, person }) => {
      const value = conceptOf(ROLE_CODE, type);
      const component = [
        {
          code: conceptOf(SNOMED, CUSTODY),
          value: {
            case: "valueCodeableConcept" as const,
            value: nationalConcept(CUSTODY_TYPES, custody),
          },
        },
      ];
      return [
        observed(KIND, patient, now, {
          value,
          component,
          performer: personPerformer(patient, person, value),
        }),
      ];
    },
  );
  return answerOf(observations);
}

/** Without a code there is nothing to want: that none is given is said by leaving the parameter out. */
function readWanted(given: GivenValues, name: string, system: string): string[] {
  const codes = readCodes(given, name, system);
  if (codes.includes("")) given.note(unsuitable(name));
  return codes;
}

interface Wanted {
  /** Any when empty. */
  readonly types: readonly string[];
  readonly custody: readonly string[];
}

/** The relations of the wanted types, once for each wanted type of custody between the two. */
function relationsWithCustody(
  relations: readonly Relation[],
  { holders, dependants }: Custodies,
  wanted: Wanted,
) {
  const custodies = [...holders, ...dependants].filter(({ type }) => wanted.custody.includes(type));
  return relations
    .filter(({ type }) => wanted.types.length === 0 || wanted.types.includes(type))
    .flatMap(({ type, person }) => {
      if (!person) return [];
      const types = custodies
        .filter((custody) => custody.person !== undefined && isSame(custody.person, person))
        .map((custody) => custody.type);
      return [...new Set(types)].map((custody) => ({ type, custody, person }));
    });
}

/** By the personal code. Two people without one, such as parents abroad, are told apart by all that is said of them. */
function isSame(one: PersonSummary, other: PersonSummary): boolean {
  if (one.personalCode !== other.personalCode) return false;
  return one.personalCode !== "" || equals(PersonSummarySchema, one, other);
}
