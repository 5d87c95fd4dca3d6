import { LinkageService } from "#proto/patientindex/v1/linkage_service_pb.ts";
import { calls } from "../grpc-calls.ts";
import type { IndexUnderTest } from "../index-under-test.ts";
import { newPersonalCode, unknown, verified } from "../people.ts";
import { FHIR_JSON } from "../requests.ts";
import type { Exchange, Scenario } from "../scenario.ts";

type Operation = "link" | "unlink";

const { method } = LinkageService;

/** The linking of patients: who may be linked to whom, and who is linked. */
export const linkageScenarios: readonly Scenario[] = [
  {
    meaning: "PRIMARY_PATIENT_UNKNOWN",
    code: "MPI-035",
    issueType: "business-rule",
    async prepare(index) {
      const { id: target } = await index.store(unknown());
      return asks("link", await someoneNew(index), target);
    },
  },
  {
    meaning: "SECONDARY_ALREADY_LINKED",
    in111: "SOURCE_ALREADY_LINKED",
    code: "MPI-036",
    issueType: "business-rule",
    async prepare(index) {
      const [source, primary, target] = [
        await someoneNew(index),
        await someoneNew(index),
        await someoneNew(index),
      ];
      await link(index, source, primary);
      return asks("link", source, target);
    },
  },
  {
    meaning: "SECONDARY_PATIENT_ESTONIAN",
    code: "MPI-065",
    issueType: "business-rule",
    async prepare(index) {
      const { id: source } = await index.storeEstonianPatient(newPersonalCode());
      return asks("link", source, await someoneNew(index));
    },
  },
  {
    meaning: "LINK_TO_SELF",
    code: "MPI-096",
    issueType: "business-rule",
    async prepare(index) {
      const id = await someoneNew(index);
      return asks("link", id, id);
    },
  },
  {
    meaning: "PATIENTS_NOT_LINKED",
    in111: "PATIENTS_NOT_LINKED_DIRECTLY",
    code: "MPI-038",
    issueType: "business-rule",
    async prepare(index) {
      return asks("unlink", await someoneNew(index), await someoneNew(index));
    },
  },
  {
    meaning: "PARAMETER_REQUIRED",
    code: "MPI-078",
    issueType: "required",
    expression: "Parameters.parameter.where(name='target-patient')",
    async prepare(index) {
      return asks("link", await someoneNew(index), undefined);
    },
  },
];

/** Asks for an operation by the ids of the patients. */
function asks(operation: Operation, source: string, target: string | undefined): Exchange {
  const pair = { source: { id: source }, ...(target !== undefined && { target: { id: target } }) };
  return {
    http: { method: "POST", path: `/Patient/$${operation}`, headers: FHIR_JSON, body: body(source, target) },
    grpc: operation === "link" ? calls(method.linkPatients, pair) : calls(method.unlinkPatients, pair),
  };
}

function body(source: string, target: string | undefined) {
  const named = { "source-patient": source, ...(target !== undefined && { "target-patient": target }) };
  const parameter = Object.entries(named).map(([name, id]) => ({
    name,
    valueReference: { reference: `Patient/${id}` },
  }));
  return { resourceType: "Parameters", parameter };
}

async function link(index: IndexUnderTest, source: string, target: string): Promise<void> {
  const request = { method: "POST", headers: FHIR_JSON, body: JSON.stringify(body(source, target)) };
  const { status } = await fetch(`${index.url}/fhir/Patient/$link`, request);
  if (status !== 200) throw new Error(`Not linked: ${status}`);
}

async function someoneNew(index: IndexUnderTest): Promise<string> {
  return (await index.store(verified())).id;
}
