import { PatientLookupService } from "#proto/patientindex/v1/patient_lookup_service_pb.ts";
import { SocialHistoryService } from "#proto/patientindex/v1/social_history_service_pb.ts";
import type { Meaning } from "../../../src/errors/index.ts";
import people from "../../../src/sandbox/people.json" with { type: "json" };
import { fetchAs } from "../../callers.ts";
import { calls, type Parameter } from "../grpc-calls.ts";
import type { IndexUnderTest } from "../index-under-test.ts";
import { someone, verified } from "../people.ts";
import { creates } from "../requests.ts";
import type { GrpcRequest, HttpRequest, Scenario } from "../scenario.ts";

const { method: history } = SocialHistoryService;
const { method: lookup } = PatientLookupService;

const OPERATIONS = {
  lookup: lookup.lookupPatients,
  education: history.listEducations,
  "legal-guardian": history.listLegalGuardians,
  "power-of-attorney": history.listPowersOfAttorney,
} as const;

const REASON = { "x-road-issue": "visit" };

/** What is wrong with the parameters of operations that ask registers. */
const operationScenarios: readonly Scenario[] = [
  {
    meaning: "SOURCE_UNKNOWN",
    code: "MPI-077",
    issueType: "code-invalid",
    expression: "http.source",
    prepare: () =>
      asks("lookup", [
        ["identifier", people.people[0]?.personalCode ?? ""],
        ["source", "https://elsewhere.example"],
      ]),
  },
  {
    meaning: "INDEX_INCONSISTENT",
    slow: true,
    code: "MPI-006",
    issueType: "exception",
    async prepare(index) {
      const person = people.people[3]?.personalCode ?? "";
      const asked = asks("lookup", [
        ["identifier", person],
        ["source", "https://rahvastikuregister.ee"],
      ]);
      const taken = await fetchAs(`${index.url}/fhir${asked.http.path}`);
      const { entry } = (await taken.json()) as { entry: [{ resource: { id: string } }] };
      // The blind index goes on saying that somebody has the code.
      await index.database.query("UPDATE identifier SET patient_id = 999999 WHERE patient_id = $1", [
        entry[0].resource.id,
      ]);
      return asked;
    },
  },
  {
    meaning: "QUERY_REASON_MISSING",
    code: "MPI-032",
    issueType: "required",
    expression: "http.x-road-issue",
    prepare: async (index) => asks("education", [["patient", await estonian(index)]], {}),
  },
  {
    meaning: "PERSONAL_CODE_NOT_FOUND",
    code: "MPI-022",
    issueType: "business-rule",
    expression: "http.patient",
    prepare: async (index) => asks("education", [["patient", await someone(index)]]),
  },
  {
    meaning: "LEGAL_STATUS_REQUIRED",
    code: "MPI-047",
    issueType: "required",
    expression: "http.legal-status",
    prepare: async (index) => asks("legal-guardian", [["patient", await estonian(index)]]),
  },
  {
    meaning: "LEGAL_STATUS_NOT_ALLOWED",
    code: "MPI-048",
    issueType: "code-invalid",
    expression: "http.legal-status",
    prepare: async (index) =>
      asks("legal-guardian", [
        ["patient", await estonian(index)],
        ["legal-status", "1"],
      ]),
  },
  {
    meaning: "GUARDIAN_ONLY_FOR_MINORS",
    code: "MPI-064",
    issueType: "business-rule",
    expression: "http.guardian-only",
    prepare: async (index) =>
      asks("power-of-attorney", [
        ["patient", await estonian(index)],
        ["guardian-only", "true"],
      ]),
  },
];

/** What the address registry does not have, or has more than once. */
const addressScenarios: readonly Scenario[] = [
  addressScenario("ADS_OID_NOT_FOUND", "MPI-053", "not-found", { adsOid: "EE0" }),
  addressScenario("ADS_OID_AND_ADR_ID_NOT_FOUND", "MPI-054", "not-found", { adsOid: "EE0", adrId: "1" }),
  addressScenario("ADS_OID_AMBIGUOUS", "MPI-055", "multiple-matches", { adsOid: noted("MPI-055").adsOid }),
  addressScenario("ADDRESS_TEXT_NOT_SEARCHABLE", "MPI-057", "value", { text: "Aa" }),
  addressScenario("ADDRESS_TEXT_NOT_FOUND", "MPI-058", "not-found", { text: "Kusagil mujal 7" }),
  addressScenario("ADDRESS_TEXT_AMBIGUOUS", "MPI-059", "multiple-matches", { text: noted("MPI-059").text }),
];

export const registerScenarios: readonly Scenario[] = [...operationScenarios, ...addressScenarios];

function addressScenario(
  meaning: Meaning,
  code: string,
  issueType: string,
  given: { readonly adrId?: string; readonly adsOid?: string; readonly text?: string },
): Scenario {
  const extension = [...coded("ee-ads-adr-id", given.adrId), ...coded("ee-ads-oid", given.adsOid)];
  const address = {
    use: "home",
    country: "EE",
    ...(given.text !== undefined && { text: given.text }),
    ...(extension.length > 0 && { extension }),
  };
  return {
    meaning,
    code,
    issueType,
    expression: "Patient.address[0]",
    prepare: () => creates(verified({ address: [address] })),
  };
}

function coded(name: string, code: string | undefined) {
  const base = "https://fhir.ee/base";
  if (code === undefined) return [];
  const valueCoding = { system: `${base}/CodeSystem/${name.replace("ee-", "")}`, code };
  return [{ url: `${base}/StructureDefinition/${name}`, valueCoding }];
}

function noted(note: string) {
  const found = people.addresses.find((address) => "note" in address && address.note?.includes(note));
  if (!found) throw new Error(`No address has the note ${note}.`);
  return found;
}

async function estonian(index: IndexUnderTest): Promise<string> {
  return `Patient/${(await index.estonianPatient()).id}`;
}

function asks(
  operation: keyof typeof OPERATIONS,
  parameters: readonly Parameter[],
  headers: Readonly<Record<string, string>> = REASON,
): { readonly http: HttpRequest; readonly grpc: GrpcRequest } {
  const query = new URLSearchParams(parameters.map(([name, value]) => [name, value]));
  const request = { parameters: parameters.map(([name, value]) => ({ name, value })) };
  return {
    http: { method: "GET", path: `/Patient/$${operation}?${query}`, headers },
    // The methods have no common type; each has this request.
    grpc: calls(OPERATIONS[operation] as unknown as typeof OPERATIONS.lookup, request, { metadata: headers }),
  };
}
