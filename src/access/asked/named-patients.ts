import type { DescMethod, Message } from "@bufbuild/protobuf";
import type { PatientStore } from "../../patients/ports.ts";
import { askedBy } from "./asked-by.ts";

/** Ids of the patients that a request names, by id whether there is such a patient or not, or by an identifier. */
export async function namedPatients(
  patients: Pick<PatientStore, "holders">,
  method: DescMethod,
  request: Message,
): Promise<bigint[]> {
  const subjects = (askedBy(method, request) ?? []).flatMap((asked) => asked.subjects());
  const found = await Promise.all(
    subjects.map(async (subject) => {
      if (subject === "nobody") return [];
      return "id" in subject ? [subject.id] : await patients.holders([subject.identifier]);
    }),
  );
  return [...new Set(found.flat())];
}
