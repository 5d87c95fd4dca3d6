import type { ServiceImpl } from "@connectrpc/connect";
import { MatchGrade, type MatchingService } from "#proto/patientindex/v1/matching_service_pb.ts";
import type { ErrorSystems } from "../../errors/index.ts";
import {
  findForeignPatients,
  type Grade,
  type Matching,
  matchPatients,
  newRecordNumber,
} from "../../matching/index.ts";
import { shownIssues } from "./shown-issues.ts";

const GRADES: Readonly<Record<Grade, MatchGrade>> = {
  certain: MatchGrade.CERTAIN,
  probable: MatchGrade.PROBABLE,
  possible: MatchGrade.POSSIBLE,
  "certainly-not": MatchGrade.CERTAINLY_NOT,
};

/** MatchingService on the use cases of matching. */
export function matchingService(
  matching: Matching,
  systems: ErrorSystems,
): ServiceImpl<typeof MatchingService> {
  return {
    async matchPatients({ resource, onlyCertainMatches, onlySingleMatch, count }, context) {
      const request = { resource, onlyCertainMatches, onlySingleMatch, count };
      const { matches, notes } = await matchPatients(matching, request);
      return {
        matches: matches.map(({ patient, score, grade }) => ({ patient, score, grade: gradeMessage(grade) })),
        issues: shownIssues(notes, context, systems),
      };
    },
    async findForeignPatients({ parameters }, context) {
      const { patients, notes } = await findForeignPatients(matching, parameters);
      return { patients, issues: shownIssues(notes, context, systems) };
    },
    generateRecordNumber: () => ({ identifier: newRecordNumber() }),
  };
}

export function gradeMessage(grade: Grade): MatchGrade {
  return GRADES[grade];
}
