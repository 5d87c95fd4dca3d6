import {
  ListCapacityDecisionsResponseSchema,
  ListCustodiesResponseSchema,
  ListGuardianshipsResponseSchema,
  ListRelationsResponseSchema,
  ReadEducationResponseSchema,
  ReadPersonResponseSchema,
} from "#proto/patientindex/registers/v1/population_register_service_pb.ts";
import { isAboutPerson } from "../answers/about-question.ts";
import { type PersonAdapterParts, personMethod } from "../exchange/person-adapter.ts";
import { populationErrors } from "./errors.ts";
import { updateContactData } from "./update-contact-data.ts";

/** The adapter of the population register: PopulationRegisterService on its services. */
export function populationAdapter(parts: PersonAdapterParts) {
  return {
    readPerson: personMethod(parts, populationErrors, {
      name: "population.ReadPerson",
      service: "person",
      answer: ReadPersonResponseSchema,
      isAnswer: isAboutPerson,
    }),
    listCapacityDecisions: personMethod(parts, populationErrors, {
      name: "population.ListCapacityDecisions",
      service: "legal-capacity",
      answer: ListCapacityDecisionsResponseSchema,
    }),
    listGuardianships: personMethod(parts, populationErrors, {
      name: "population.ListGuardianships",
      service: "guardianships",
      answer: ListGuardianshipsResponseSchema,
    }),
    listRelations: personMethod(parts, populationErrors, {
      name: "population.ListRelations",
      service: "relations",
      answer: ListRelationsResponseSchema,
    }),
    listCustodies: personMethod(parts, populationErrors, {
      name: "population.ListCustodies",
      service: "custodies",
      answer: ListCustodiesResponseSchema,
    }),
    readEducation: personMethod(parts, populationErrors, {
      name: "population.ReadEducation",
      service: "education",
      answer: ReadEducationResponseSchema,
    }),
    updateContactData: updateContactData(parts.client),
  };
}
