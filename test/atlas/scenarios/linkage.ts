import { DuplicateReviewService } from "#proto/patientindex/v1/duplicate_review_service_pb.ts";
import { LinkageService } from "#proto/patientindex/v1/linkage_service_pb.ts";
import { defaultErrorSystems, GrpcStatus } from "../../../src/errors/index.ts";
import { fetchAs } from "../../callers.ts";
import { administrator } from "../../jobs/administrator.ts";
import { calls } from "../grpc-calls.ts";
import type { IndexUnderTest } from "../index-under-test.ts";
import { identifier, PID, someone, unknown, verified } from "../people.ts";
import { FHIR_JSON } from "../requests.ts";
import type { Exchange, Json, Scenario } from "../scenario.ts";

/** Linking patients below each other, and unlinking them. */
export const linkageScenarios: readonly Scenario[] = [
  {
    meaning: "PARAMETER_REQUIRED",
    code: "MPI-078",
    issueType: "required",
    expression: parameter("target-patient"),
    prepare: async (index) => asks("link", { source: await someone(index) }),
  },
  {
    meaning: "PATIENT_NOT_FOUND",
    code: "MPI-021",
    issueType: "not-found",
    expression: parameter("source-patient"),
    prepare: async (index) => asks("link", { source: "Patient/999999999", target: await someone(index) }),
  },
  {
    meaning: "IDENTIFIER_OF_NOBODY",
    code: "MPI-045",
    issueType: "not-found",
    expression: parameter("target-patient-identifier"),
    prepare: async (index) => asks("link", { source: await someone(index), target: [identifier()] }),
  },
  {
    meaning: "IDENTIFIER_OF_SEVERAL",
    code: "MPI-046",
    issueType: "multiple-matches",
    expression: parameter("source-patient-identifier"),
    async prepare(index) {
      const both = [identifier(), identifier("swe/ni")];
      for (const own of both) await index.store(verified({ identifier: [own] }));
      return asks("unlink", { source: both, target: await someone(index) });
    },
  },
  {
    meaning: "INTERNAL_IDENTIFIER_NOT_ACCEPTED",
    code: "MPI-056",
    issueType: "business-rule",
    expression: `${parameter("source-patient-identifier")}[0].value.system`,
    async prepare(index) {
      const internal = { system: defaultErrorSystems.MPI, value: "7" };
      return asks("link", { source: [internal], target: await someone(index) });
    },
  },
  {
    meaning: "REQUEST_PERSONAL_CODE_INVALID",
    code: "MPI-044",
    issueType: "value",
    expression: `${parameter("target-patient-identifier")}[0].value.value`,
    async prepare(index) {
      const wrong = { system: `${PID}/est/ni`, value: "38001085719" };
      return asks("link", { source: await someone(index), target: [wrong] });
    },
  },
  {
    meaning: "LINK_TO_SELF",
    code: "MPI-096",
    issueType: "business-rule",
    expression: [parameter("source-patient"), parameter("target-patient")],
    async prepare(index) {
      const patient = await someone(index);
      return asks("link", { source: patient, target: patient });
    },
  },
  {
    meaning: "SECONDARY_PATIENT_ESTONIAN",
    code: "MPI-065",
    issueType: "business-rule",
    expression: parameter("source-patient"),
    async prepare(index) {
      const { id } = await index.estonianPatient();
      return asks("link", { source: `Patient/${id}`, target: await someone(index) });
    },
  },
  {
    meaning: "PRIMARY_PATIENT_UNKNOWN",
    code: "MPI-035",
    issueType: "business-rule",
    expression: parameter("target-patient"),
    async prepare(index) {
      const { id } = await index.store(unknown());
      return asks("link", { source: await someone(index), target: `Patient/${id}` });
    },
  },
  {
    meaning: "TARGET_PATIENT_NOT_ACTIVE",
    version: "1.1.1",
    code: "MPI-035",
    issueType: "business-rule",
    expression: parameter("target-patient"),
    async prepare(index) {
      const { id } = await index.store(verified({ active: false }));
      return asks("link", { source: await someone(index), target: `Patient/${id}` });
    },
  },
  {
    meaning: "SECONDARY_ALREADY_LINKED",
    version: "1.5.0",
    code: "MPI-036",
    issueType: "business-rule",
    expression: parameter("source-patient"),
    prepare: async (index) => asks("link", { ...(await linkedPair(index)), target: await someone(index) }),
  },
  {
    meaning: "SOURCE_ALREADY_LINKED",
    version: "1.1.1",
    code: "MPI-036",
    issueType: "business-rule",
    expression: parameter("source-patient"),
    prepare: async (index) => asks("link", { ...(await linkedPair(index)), target: await someone(index) }),
  },
  {
    meaning: "PATIENTS_NOT_LINKED",
    version: "1.5.0",
    code: "MPI-038",
    issueType: "business-rule",
    expression: [parameter("source-patient"), parameter("target-patient")],
    prepare: async (index) => asks("unlink", { source: await someone(index), target: await someone(index) }),
  },
  {
    meaning: "PATIENTS_NOT_LINKED_DIRECTLY",
    version: "1.1.1",
    code: "MPI-038",
    issueType: "business-rule",
    expression: [parameter("source-patient"), parameter("target-patient")],
    async prepare(index) {
      const { source, target } = await linkedPair(index);
      const top = await someone(index);
      await send(index, asks("link", { source: target, target: top }));
      return asks("unlink", { source, target: top });
    },
  },
  {
    meaning: "TARGET_PATIENT_ALREADY_ACTIVE",
    version: "1.1.1",
    code: "MPI-037",
    issueType: "business-rule",
    expression: parameter("source-patient"),
    status: { http: 422, grpc: GrpcStatus.FAILED_PRECONDITION },
    prepare: async (index) => asks("unlink", await linkedPair(index)),
  },
  {
    meaning: "DUPLICATES_LINKED",
    only: "grpc",
    code: "MPI-400",
    issueType: "business-rule",
    status: { grpc: GrpcStatus.FAILED_PRECONDITION },
    prepare: async (index) => dismisses(index, await linkedPair(index)),
  },
];

/** Says that two patients whom a scan found are two people. */
async function dismisses(index: IndexUnderTest, { source, target }: Pair): Promise<Exchange> {
  const [patientId = "", otherId = ""] = [source, target].map((one) => selectorOf(one ?? "").id);
  await index.database.query(
    `INSERT INTO possible_duplicate (patient_id, other_id, score, grade, state, found_at)
      VALUES ($1, $2, 0.99, 'probable', 'open', now())`,
    [patientId, otherId],
  );
  const { dismissPossibleDuplicate } = DuplicateReviewService.method;
  return { grpc: calls(dismissPossibleDuplicate, { patientId, otherId }, { as: administrator }) };
}

/** A patient by reference, or by identifiers. */
type Named = string | readonly { readonly system: string; readonly value: string }[];

interface Pair {
  readonly source?: Named;
  readonly target?: Named;
}

function asks(operation: "link" | "unlink", pair: Pair): Exchange {
  const { linkPatients, unlinkPatients } = LinkageService.method;
  const body = {
    resourceType: "Parameters",
    parameter: [
      ...parametersOf("source-patient", pair.source),
      ...parametersOf("target-patient", pair.target),
    ],
  };
  const message = {
    ...(pair.source !== undefined && { source: selectorOf(pair.source) }),
    ...(pair.target !== undefined && { target: selectorOf(pair.target) }),
  };
  return {
    http: { method: "POST", path: `/Patient/$${operation}`, headers: FHIR_JSON, body },
    grpc: operation === "link" ? calls(linkPatients, message) : calls(unlinkPatients, message),
  };
}

function parametersOf(name: string, named: Named = []): Json[] {
  if (typeof named === "string") return [{ name, valueReference: { reference: named } }];
  return named.map((one) => ({ name: `${name}-identifier`, valueIdentifier: one }));
}

function selectorOf(named: Named) {
  return typeof named === "string" ? { id: named.replace("Patient/", "") } : { identifiers: [...named] };
}

/** Two patients, the source linked below the target in 1.5.0, so that both are active. */
async function linkedPair(index: IndexUnderTest): Promise<{ source: string; target: string }> {
  const pair = { source: await someone(index), target: await someone(index) };
  await send(index, asks("link", pair));
  return pair;
}

async function send(index: IndexUnderTest, { http }: Exchange): Promise<void> {
  if (http === undefined || !("path" in http)) throw new Error("There is nothing to send.");
  const { method, path, headers = {}, body } = http;
  const sent = await fetchAs(`${index.url}/fhir${path}`, { method, headers, body: JSON.stringify(body) });
  if (!sent.ok) throw new Error(`Not done: ${await sent.text()}`);
}

function parameter(name: string): string {
  return `Parameters.parameter.where(name='${name}')`;
}
