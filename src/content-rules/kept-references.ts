import type { Message } from "@bufbuild/protobuf";
import type { Reference } from "#proto/patientindex/v1/datatypes_pb.ts";
import type { Patient } from "#proto/patientindex/v1/patient_pb.ts";
import { contradictsItself } from "../references/index.ts";
import type { Report } from "./report.ts";
import { anyMessage, visitMessages } from "./visit-messages.ts";

/** A resource that others can lie in. */
type Container = Message & Pick<Patient, "contained">;
const REFERENCE = "patientindex.v1.Reference" satisfies Reference["$typeName"];

/** A search instead of an address, such as Patient?identifier=…: only a transaction puts an address in its place. */
const SEARCH = /(?:^|\/)[A-Z][A-Za-z]+\?/;

/** Whether a message refers to a contained resource, by a search, or to what it calls something else. */
export function isDoubtfulReference(message: Message): boolean {
  if (message.$typeName !== REFERENCE) return false;
  const reference = message as Reference;
  return isInside(reference.reference) || isSearch(reference.reference) || contradictsItself(reference);
}

function isInside(reference: string | undefined): boolean {
  return reference?.startsWith("#") ?? false;
}

function isSearch(reference: string | undefined): boolean {
  return reference !== undefined && SEARCH.test(reference);
}

/**
 * Refuses what refers to a contained resource that is not in what is to be stored, or by a search, or to what it calls
 * something else (MPI-096): the first two lead nowhere, and a search would keep the identifier that it searches by in clear.
 */
export function checkKeptReferences(stored: Container, root: string, report: Report): void {
  if (!anyMessage(stored, isDoubtfulReference)) return;
  const kept = new Set(
    stored.contained.map(({ resource }) =>
      typeof resource.value === "object" ? `#${resource.value.id}` : undefined,
    ),
  );
  visitMessages(stored, root, (message, element) => {
    if (message.$typeName !== REFERENCE) return;
    const { reference } = message as Reference;
    // The resource itself, which only what it contains refers to so (R5, ref-1).
    const isContainer = reference === "#" && element.startsWith(`${root}.contained[`);
    const isLost = isInside(reference) && !isContainer && !kept.has(reference ?? "");
    const isWrong = isLost || isSearch(reference) || contradictsItself(message as Reference);
    if (isWrong) report("REFERENCE_INVALID", { element }, element);
  });
}
