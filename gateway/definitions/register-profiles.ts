import { canonical, DEFINITION_VERSION, nameOf } from "./definition.ts";
import type { ElementDefinition, StructureDefinition } from "./structure-definition.ts";

/** What the observations of an operation are: of what, and which elements they have beside those of all. */
interface RegisterProfile {
  readonly id: string;
  readonly description: string;
  readonly code: { readonly system: string; readonly code: string };
  readonly elements: readonly ElementDefinition[];
}

const SNOMED = "http://snomed.info/sct";

const concept = element("value[x]", { min: 1, type: [{ code: "CodeableConcept" }] });
const period = element("effective[x]", { type: [{ code: "Period" }] });
const somebody = element("performer", { min: 1, max: "1", short: "Contained: a person or an organisation." });
const noPeriod = element("effective[x]", { max: "0" });
const nobody = element("performer", { max: "0" });
const noComponent = element("component", { max: "0" });

const ofRegisters: readonly RegisterProfile[] = [
  {
    id: "disability",
    description: "A degree of disability, from the social insurance board.",
    code: { system: "http://loinc.org", code: "95377-8" },
    elements: [period, nobody, concept, noComponent],
  },
  {
    id: "education-level",
    description: "The highest education, from the population register.",
    code: { system: SNOMED, code: "105421008" },
    elements: [noPeriod, nobody, concept, noComponent],
  },
  {
    id: "incapacity-for-work",
    description: "How far somebody is able to work, from the unemployment insurance fund.",
    code: { system: SNOMED, code: "301707001" },
    elements: [period, nobody, concept, noComponent],
  },
  {
    id: "legal-guardian-status",
    description: "A guardian or a ward, from the population register.",
    code: { system: SNOMED, code: "1193838006" },
    elements: [period, somebody, concept, noComponent],
  },
  {
    id: "legal-relationship",
    description: "Somebody with whom there is custody, from the population register.",
    code: { system: SNOMED, code: "125676002" },
    elements: [noPeriod, somebody, concept],
  },
  {
    id: "legal-status",
    description: "Legal capacity, from the population register or by age.",
    code: { system: SNOMED, code: "8625004" },
    elements: [period, nobody, concept, noComponent],
  },
  {
    id: "occupation",
    description: "A job, from the employment register.",
    code: { system: SNOMED, code: "184104002" },
    elements: [
      noPeriod,
      element("performer", { max: "1", short: "Contained: the employer." }),
      element("value[x]", { max: "0" }),
      element("component", { min: 1, max: "2", short: "The occupation (160922003), the rate (224374003)." }),
    ],
  },
  {
    id: "power-of-attorney",
    description: "A right of custody or representation, from the population register.",
    code: { system: SNOMED, code: "186063005" },
    elements: [period, somebody, concept, noComponent],
  },
];

/** The profiles of what registers answer, which nothing that is stored may claim. */
export const registerProfiles: readonly StructureDefinition[] = [
  ...ofRegisters.map(({ id, description, code, elements }) =>
    profile(`ee-mpi-socialhistory-${id}`, "Observation", description, [
      element("status", { patternCode: "final" }),
      element("category", {
        min: 1,
        max: "1",
        patternCodeableConcept: {
          coding: [
            {
              system: "http://terminology.hl7.org/CodeSystem/observation-category",
              code: "social-history",
            },
          ],
        },
      }),
      element("code", { patternCodeableConcept: { coding: [code] } }),
      element("subject", { min: 1 }),
      ...elements.slice(0, 1),
      element("issued", { min: 1, short: "The time of the answer." }),
      ...elements.slice(1),
    ]),
  ),
  profile("ee-mpi-patient-name-parameters", "Parameters", "The answer of $name.", [
    {
      id: "Parameters.parameter",
      path: "Parameters.parameter",
      slicing: { discriminator: [{ type: "value", path: "name" }], rules: "closed" },
      max: "2",
    },
    ...slice("name", { id: "value[x]", type: "HumanName" }),
    ...slice("warning", { id: "resource", type: "OperationOutcome" }),
  ]),
];

function element(name: string, said: Partial<ElementDefinition>): ElementDefinition {
  return { id: `Observation.${name}`, path: `Observation.${name}`, ...said };
}

/** A parameter that may be there once, and what it holds. */
function slice(name: string, held: { readonly id: string; readonly type: string }): ElementDefinition[] {
  const path = "Parameters.parameter";
  const id = `${path}:${name}`;
  return [
    { id, path, sliceName: name, max: "1" },
    { id: `${id}.name`, path: `${path}.name`, patternString: name },
    { id: `${id}.${held.id}`, path: `${path}.${held.id}`, min: 1, type: [{ code: held.type }] },
  ];
}

function profile(
  id: string,
  type: string,
  description: string,
  elements: readonly ElementDefinition[],
): StructureDefinition {
  return {
    resourceType: "StructureDefinition",
    id,
    url: canonical("StructureDefinition", id),
    version: DEFINITION_VERSION,
    name: nameOf(id),
    status: "active",
    experimental: false,
    description,
    fhirVersion: "5.0.0",
    kind: "resource",
    abstract: false,
    type,
    baseDefinition: `http://hl7.org/fhir/StructureDefinition/${type}`,
    derivation: "constraint",
    differential: {
      element: [
        { id: `${type}.meta`, path: `${type}.meta`, min: 1 },
        { id: `${type}.meta.profile`, path: `${type}.meta.profile`, min: 1 },
        ...elements,
      ],
    },
  };
}
