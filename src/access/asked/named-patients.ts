import type { DescMethod, Message } from "@bufbuild/protobuf";
import type { PatientStore } from "../../patients/ports.ts";
import { askedBy } from "./asked-by.ts";
import type { Subject } from "./subjects.ts";

type Holders = Pick<PatientStore, "holders">;

/** Ids of the first `most` patients that a request names, by id whether there is such a patient or not, or by an identifier. */
export async function namedPatients(
  patients: Holders,
  method: DescMethod,
  request: Message,
  most = Number.POSITIVE_INFINITY,
): Promise<bigint[]> {
  const subjects = (askedBy(method, request) ?? []).flatMap((asked) => asked.subjects()).slice(0, most);
  return [...new Set((await idsOfEach(patients, subjects)).flat())];
}

/** The ids of each subject: the one it names, those who hold its identifier, none of nobody. */
export function idsOfEach(patients: Holders, subjects: readonly Subject[]): Promise<bigint[][]> {
  return Promise.all(
    subjects.map(async (subject) => {
      if (subject === "nobody") return [];
      return "id" in subject ? [subject.id] : await patients.holders([subject.identifier]);
    }),
  );
}
