import { create } from "@bufbuild/protobuf";
import { type HumanName, HumanNameSchema } from "#proto/patientindex/v1/datatypes_pb.ts";
import type { SearchParameter } from "#proto/patientindex/v1/search_parameter_pb.ts";
import { isPresent } from "../../content-rules/index.ts";
import type { Fault } from "../../errors/index.ts";
import { failingAs } from "../../registers/ports.ts";
import { deceasedNote } from "../answer.ts";
import { understand } from "../asked-operation.ts";
import type { SocialHistory } from "../social-history.ts";

/** $name: the official name as the population register has it now, with a warning for somebody who has died. */
export async function readPatientName(
  history: SocialHistory,
  parameters: readonly SearchParameter[],
): Promise<{ readonly name: HumanName; readonly notes: Fault[] }> {
  const { patient, noCache } = await understand(history, parameters, [], () => undefined);
  const { personalCode } = patient;
  const { familyName, givenNames, deathDate } = await failingAs(["RR_INTEGRATION_FAILED"], () =>
    history.registers.population.readPerson({ personalCode, noCache }),
  );
  const given = givenNames.filter((one) => isPresent(one, undefined));
  const family = isPresent(familyName, undefined) ? { family: familyName } : {};
  const name = create(HumanNameSchema, { use: "official", ...family, given });
  return { name, notes: deceasedNote({ ...patient, isDeceased: patient.isDeceased || deathDate !== "" }) };
}
