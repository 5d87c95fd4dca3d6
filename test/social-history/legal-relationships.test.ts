import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { expect, it } from "vitest";
import {
  ListCustodiesResponseSchema,
  ListRelationsResponseSchema,
  type PersonSummarySchema,
} from "#proto/patientindex/registers/v1/population_register_service_pb.ts";
import { listLegalRelationships, type SocialHistory } from "../../src/social-history/index.ts";
import { estonianPatient } from "../patients/examples.ts";

type PersonInit = MessageInitShape<typeof PersonSummarySchema>;

/** Relation and custody of each observation about a child whose mother has custody of it, and whose father that of its property. */
async function shownOf(mother: PersonInit, father: PersonInit) {
  const custodies = create(ListCustodiesResponseSchema, {
    holders: [
      { type: "H10", person: mother },
      { type: "H20", person: father },
    ],
  });
  const relations = create(ListRelationsResponseSchema, {
    relations: [
      { type: "MTH", person: mother },
      { type: "FTH", person: father },
    ],
  });
  const patient = { ...estonianPatient(), id: "7", birthDate: "2020-01-01" };
  const history = {
    now: () => new Date("2026-11-22T12:00:00Z"),
    patients: { read: async () => ({ patient }) },
    registers: { population: { listCustodies: async () => custodies, listRelations: async () => relations } },
  } as unknown as SocialHistory;
  const asked = { patient: "Patient/7", "custody-type": "H10,H20" };
  const { observations } = await listLegalRelationships(
    history,
    Object.entries(asked).map(([name, value]) => ({
      $typeName: "patientindex.v1.SearchParameter" as const,
      name,
      value,
    })),
  );
  const concepts = observations.map(({ value, component }) => [value, component[0]?.value]);
  return concepts.map((pair) =>
    pair.map((one) => (one?.case === "valueCodeableConcept" ? one.value.coding[0]?.code : undefined)),
  );
}

it.for<[string, PersonInit, PersonInit]>([
  ["both have a personal code", { personalCode: "47605030299" }, { personalCode: "38010130257" }],
  ["neither has one", { familyName: "Virtanen", sex: "female" }, { familyName: "Virtanen", sex: "male" }],
  ["one has none", { personalCode: "47605030299" }, { familyName: "Virtanen" }],
])(
  "each parent has the custody that the register says of that parent, when %s",
  async ([, mother, father]) => {
    expect(await shownOf(mother, father)).toEqual([
      ["MTH", "H10"],
      ["FTH", "H20"],
    ]);
  },
);
