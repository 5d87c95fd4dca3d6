import type { ServiceImpl } from "@connectrpc/connect";
import { MatchGrade, type MatchingService } from "#proto/patientindex/v1/matching_service_pb.ts";
import {
  findForeignPatients,
  type Grade,
  type Matching,
  matchPatients,
  newRecordNumber,
} from "../../matching/index.ts";

const GRADES: Readonly<Record<Grade, MatchGrade>> = {
  certain: MatchGrade.CERTAIN,
  probable: MatchGrade.PROBABLE,
  possible: MatchGrade.POSSIBLE,
  "certainly-not": MatchGrade.CERTAINLY_NOT,
};

/** MatchingService on the use cases of matching. */
export function matchingService(matching: Matching): ServiceImpl<typeof MatchingService> {
  return {
    async matchPatients({ resource, onlyCertainMatches, onlySingleMatch, count }) {
      const request = { resource, onlyCertainMatches, onlySingleMatch, count };
      const matches = await matchPatients(matching, request);
      return {
        matches: matches.map(({ patient, score, grade }) => ({ patient, score, grade: gradeMessage(grade) })),
      };
    },
    async findForeignPatients({ parameters }) {
      return { patients: await findForeignPatients(matching, parameters) };
    },
    generateRecordNumber: () => ({ identifier: newRecordNumber() }),
  };
}

export function gradeMessage(grade: Grade): MatchGrade {
  return GRADES[grade];
}
