import { jsonMediaTypes } from "../exchange/media-types.ts";
import type { FhirJson } from "../fhir/index.ts";
import type { Interaction } from "../routes/interaction.ts";
import { searchParametersByType } from "./search-parameters.ts";

/** The part of a CapabilityStatement that is the same for every request. */
export type CapabilityParts = Readonly<Record<"rest", readonly FhirJson[]>> & FhirJson;

/** Interactions that are no interaction of a resource type. */
const ofTheServer: ReadonlySet<string> = new Set(["capabilities"]);

/** What the interface offers, as told by the table of what is registered. */
export function capabilityParts(interactions: readonly Interaction[], since: string): FhirJson {
  const types = [...new Set(interactions.flatMap(({ resourceType }) => resourceType ?? []))];
  return {
    status: "active",
    date: since,
    kind: "instance",
    software: { name: "Patient index" },
    fhirVersion: "5.0.0",
    format: ["json", ...jsonMediaTypes],
    rest: [
      {
        mode: "server",
        resource: types.map((type) =>
          resourceJson(
            type,
            interactions.filter((interaction) => interaction.resourceType === type),
          ),
        ),
      },
    ],
  };
}

/** CapabilityStatement of the interface at a base URL, for a contract version. */
export function capabilityStatement(parts: FhirJson, base: string, version: string): FhirJson {
  const { status, date, kind, software, ...rest } = parts;
  return {
    resourceType: "CapabilityStatement",
    url: `${base}/metadata`,
    version,
    name: "PatientIndex",
    title: "Master patient index",
    status,
    date,
    kind,
    software,
    implementation: { description: "Master patient index, FHIR R5", url: base },
    ...rest,
  };
}

function resourceJson(type: string, interactions: readonly Interaction[]): FhirJson {
  const codes = [...new Set(interactions.map(({ code }) => code))].filter((code) => !ofTheServer.has(code));
  const searchParam = codes.includes("search-type") ? (searchParametersByType[type] ?? []) : [];
  return {
    type,
    interaction: codes.map((code) => ({ code })),
    versioning: "versioned",
    readHistory: codes.includes("vread"),
    updateCreate: false,
    conditionalCreate: false,
    conditionalRead: "full-support",
    conditionalUpdate: false,
    ...(searchParam.length > 0 && { searchParam }),
  };
}
