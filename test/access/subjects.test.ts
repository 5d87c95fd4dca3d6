import { create, type DescMethodUnary, type MessageInitShape } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import { AuditService } from "#proto/patientindex/v1/audit_service_pb.ts";
import { DuplicateReviewService } from "#proto/patientindex/v1/duplicate_review_service_pb.ts";
import { LinkageService } from "#proto/patientindex/v1/linkage_service_pb.ts";
import { ObservationService } from "#proto/patientindex/v1/observation_service_pb.ts";
import { PatientLookupService } from "#proto/patientindex/v1/patient_lookup_service_pb.ts";
import { PatientService } from "#proto/patientindex/v1/patient_service_pb.ts";
import { RelatedPersonService } from "#proto/patientindex/v1/related_person_service_pb.ts";
import { SocialHistoryService } from "#proto/patientindex/v1/social_history_service_pb.ts";
import { askedBy } from "../../src/access/index.ts";

/** The patients that a request of a method names. */
function namedBy<Method extends DescMethodUnary>(
  method: Method,
  request: MessageInitShape<Method["input"]>,
): unknown {
  return (askedBy(method, create(method.input, request)) ?? []).flatMap(({ subjects }) => subjects());
}

const NI = "https://fhir.ee/sid/pid/est/ni";
const CODE = "46602140023";
const holder = { identifier: { country: "est", type: "ni", value: CODE } };
const { createObservation, updateObservation, searchObservations } = ObservationService.method;
const { confirmPossibleDuplicate, dismissPossibleDuplicate } = DuplicateReviewService.method;
const { createRelatedPerson, updateRelatedPerson, readRelatedPerson } = RelatedPersonService.method;
const { linkPatients, unlinkPatients, readLinkGroup } = LinkageService.method;
const { listEducations } = SocialHistoryService.method;
const { searchAuditEvents } = AuditService.method;

function parameters(...given: readonly [name: string, value: string][]) {
  return { parameters: given.map(([name, value]) => ({ name, value })) };
}

describe("the patients that a request names are", () => {
  test.each<[string, string, unknown]>([
    ["patient", "Patient/7", { id: 7n }],
    ["subject", "Patient/7", { id: 7n }],
    ["patient", "Patient/7/_history/1", { id: 7n }],
    ["patient", "https://index.example/fhir/Patient/7", "nobody"],
    ["patient", "../Patient/7", "nobody"],
    ["patient", "/Patient/7", "nobody"],
    ["patient", "RelatedPerson/7", "nobody"],
    ["patient", "Patient/7,Patient/8", "nobody"],
    ["patient", "Patient/x", "nobody"],
    ["patient", "", undefined],
    ["patient.identifier", `${NI}|${CODE}`, holder],
    ["patient:identifier", `${NI}|${CODE}`, holder],
    ["subject.identifier", `${NI}|${CODE}`, holder],
    ["patient.identifier", `${NI}|46602140029`, "nobody"],
    ["patient.identifier", "https://elsewhere.example|1", "nobody"],
    ["code", "Patient/7", undefined],
  ])("in %s=%s", (name, value, expected) => {
    const found = expected === undefined ? [] : [expected];
    expect(namedBy(searchObservations, parameters([name, value]))).toEqual(found);
    expect(namedBy(listEducations, parameters([name, value]))).toEqual(found);
  });

  test.each<[string, string, unknown, unknown]>([
    ["patient", "7", { id: 7n }, "nobody"],
    ["patient.identifier", CODE, "nobody", holder],
    ["patient:identifier", CODE, "nobody", holder],
  ])("in %s=%s as a search takes it, and as an operation does", (name, value, searched, operatedOn) => {
    expect(namedBy(searchObservations, parameters([name, value]))).toEqual([searched]);
    expect(namedBy(searchAuditEvents, parameters([name, value]))).toEqual([searched]);
    expect(namedBy(listEducations, parameters([name, value]))).toEqual([operatedOn]);
  });

  test("all of them, when there are several", () => {
    const given = parameters(
      ["patient", "Patient/7"],
      ["patient", "Patient/8"],
      ["patient.identifier", `${NI}|${CODE}`],
    );
    expect(namedBy(searchObservations, given)).toEqual([{ id: 7n }, { id: 8n }, holder]);
  });

  test("of a body the one of its reference, by address before identifier", () => {
    const body = (patient: object) => ({ relatedPerson: { patient } });
    const identifier = { system: NI, value: CODE };
    expect(namedBy(createRelatedPerson, body({ reference: "Patient/7", identifier }))).toEqual([{ id: 7n }]);
    expect(namedBy(createRelatedPerson, body({ identifier }))).toEqual([holder]);
    expect(namedBy(createRelatedPerson, body({ identifier: { system: "x", value: "1" } }))).toEqual([
      "nobody",
    ]);
    expect(namedBy(createRelatedPerson, body({ reference: "urn:uuid:1", identifier }))).toEqual(["nobody"]);
    expect(namedBy(createRelatedPerson, body({ display: "Mari" }))).toEqual([]);
    expect(namedBy(createRelatedPerson, {})).toEqual([]);
  });

  test("of a change the one with whom the resource lies, and the one of its body", () => {
    const relatedPerson = { patient: { reference: "Patient/8" } };
    expect(namedBy(updateRelatedPerson, { id: "70001", relatedPerson })).toEqual([{ id: 7n }, { id: 8n }]);
    expect(namedBy(updateRelatedPerson, { id: "70001" })).toEqual([{ id: 7n }]);
  });

  test("nobody, where an id cannot be one", () => {
    for (const id of ["", "7", "70000", "x"]) expect(namedBy(readRelatedPerson, { id })).toEqual(["nobody"]);
  });

  test("of a search for patients those of its ids and identifiers, and of a look-up the one of its identifier", () => {
    const { searchPatients } = PatientService.method;
    expect(namedBy(searchPatients, parameters(["_id", "7,x"], ["active", "true"]))).toEqual([
      { id: 7n },
      "nobody",
    ]);
    expect(namedBy(searchPatients, parameters(["identifier", `${NI}|${CODE}`]))).toEqual([holder]);
    expect(namedBy(searchPatients, parameters(["identifier", CODE]))).toEqual(["nobody"]);
    const several: [name: string, value: string] = ["patient-identifier", `${NI}|${CODE},${NI}|1`];
    expect(namedBy(searchPatients, parameters(several))).toEqual([holder, "nobody"]);
    const lookup = parameters(["source", "https://mpi.tehik.ee"], ["identifier", CODE]);
    expect(namedBy(PatientLookupService.method.lookupPatients, lookup)).toEqual([holder]);
  });

  test("of a search by more than a hundred ids the first hundred", () => {
    const ids = Array.from({ length: 150 }, (_, index) => index + 1).join(",");
    expect(namedBy(PatientService.method.searchPatients, parameters(["_id", ids]))).toHaveLength(100);
  });

  test.each([
    ["a search that names a patient a thousand times over", searchObservations],
    ["an operation that does", listEducations],
  ])(
    "of %s the first hundred, and nobody, so that no consumer reaches those behind them",
    (_what, method) => {
      const names = Array.from({ length: 1000 }, (_, n): [string, string] => ["patient", `Patient/${n + 1}`]);
      const named = namedBy<DescMethodUnary>(method, parameters(...names)) as object[];
      const first = Array.from({ length: 100 }, (_, n) => ({ id: BigInt(n + 1) }));
      expect(named).toEqual([...first, "nobody"]);
      expect(namedBy<DescMethodUnary>(method, parameters(...names.slice(0, 100)))).toEqual(first);
    },
  );

  test("of a marital status the one with whom it lies, and the other person by address", () => {
    const observation = {
      subject: { reference: "Patient/7" },
      focus: [
        { reference: "Patient/8" },
        { reference: "RelatedPerson/70001" },
        { reference: "https://other.example/fhir/Patient/9" },
        { identifier: { system: NI } },
      ],
    };
    expect(namedBy(createObservation, { observation })).toEqual([{ id: 7n }, { id: 8n }]);
    expect(namedBy(updateObservation, { id: "70002", observation })).toEqual([
      { id: 7n },
      { id: 7n },
      { id: 8n },
    ]);
  });

  test.each([linkPatients, unlinkPatients])(
    "of $name both, by id and by each identifier, which may be of several patients",
    (method) => {
      const identifiers = [
        { system: NI, value: CODE },
        { system: "x", value: "1" },
      ];
      expect(namedBy(method, { source: { id: "7", identifiers }, target: { identifiers } })).toEqual([
        { id: 7n },
        holder,
        "nobody",
        holder,
        "nobody",
      ]);
      expect(namedBy(method, { source: { id: "x" }, target: {} })).toEqual(["nobody", "nobody"]);
      expect(namedBy(method, { target: { id: "8" } })).toEqual([{ id: 8n }]);
    },
  );

  test.each([linkPatients, unlinkPatients])("of $name the first hundred identifiers of each", (method) => {
    const identifiers = Array.from({ length: 101 }, () => ({ system: NI, value: CODE }));
    expect(namedBy(method, { source: { identifiers } })).toHaveLength(100);
  });

  test("of a linked group the one by whom it is asked for", () => {
    expect(namedBy(readLinkGroup, { patientId: "7" })).toEqual([{ id: 7n }]);
    expect(namedBy(readLinkGroup, { patientId: "7", asOf: { seconds: 1n } })).toEqual([{ id: 7n }]);
  });

  test("of a decision on possible duplicates both", () => {
    expect(namedBy(confirmPossibleDuplicate, { sourceId: "7", targetId: "8" })).toEqual([
      { id: 7n },
      { id: 8n },
    ]);
    expect(namedBy(dismissPossibleDuplicate, { patientId: "7", otherId: "8" })).toEqual([
      { id: 7n },
      { id: 8n },
    ]);
  });
});

test("an observation names its subject and the first hundred in its focus: one with more is refused for that", () => {
  const focus = Array.from({ length: 5_000 }, (_, n) => ({ reference: `Patient/${n + 8}` }));
  const named = namedBy(createObservation, { observation: { subject: { reference: "Patient/7" }, focus } });
  expect(named).toEqual(Array.from({ length: 101 }, (_, n) => ({ id: BigInt(n + 7) })));
});
