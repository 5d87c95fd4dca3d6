import { structureDefinitions } from "../definitions/index.ts";
import { bodyMediaTypes, jsonMediaTypes } from "../exchange/media-types.ts";
import type { FhirJson } from "../fhir/index.ts";
import type { Interaction, InteractionCode } from "../routes/interaction.ts";
import { searchParametersByType } from "./search-parameters.ts";

/** What holds for every request: what the interface offers, as told by the table of what is registered. */
export function capabilityParts(interactions: readonly Interaction[], since: string): FhirJson {
  const types = [...new Set(interactions.flatMap(({ resourceType }) => resourceType ?? []))];
  const ofSystem = interactions
    .filter(({ resourceType }) => resourceType === undefined)
    .map(({ code }) => ({ code }));
  return {
    status: "active",
    date: since,
    kind: "instance",
    software: { name: "Patient index" },
    fhirVersion: "5.0.0",
    format: ["json", ...jsonMediaTypes],
    ...(interactions.some(({ body }) => body === "patch") && { patchFormat: bodyMediaTypes.patch }),
    rest: [
      {
        mode: "server",
        resource: types.map((type) =>
          resourceJson(
            type,
            interactions.filter((interaction) => interaction.resourceType === type),
          ),
        ),
        ...(ofSystem.length > 0 && { interaction: ofSystem }),
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
  const codes = [...new Set(interactions.map(({ code }) => code))].filter((code) => code !== "operation");
  const operations = [...new Set(interactions.flatMap(({ operation }) => operation ?? []))];
  const isVersioned = codes.includes("vread");
  const searchParam = codes.includes("search-type") ? (searchParametersByType[type] ?? []) : [];
  const supportedProfile = [...structureDefinitions.values()]
    .filter((definition) => definition.type === type && !definition.abstract)
    .map(({ url }) => url);
  const isConditional = (code: InteractionCode) =>
    interactions.some((interaction) => interaction.code === code && interaction.conditional);
  return {
    type,
    ...(supportedProfile.length > 0 && { supportedProfile }),
    interaction: codes.map((code) => ({ code })),
    versioning: isVersioned ? "versioned" : "no-version",
    readHistory: isVersioned,
    updateCreate: false,
    conditionalCreate: isConditional("create"),
    conditionalRead: isVersioned ? "full-support" : "not-supported",
    conditionalUpdate: isConditional("update"),
    conditionalDelete: isConditional("delete") ? "single" : "not-supported",
    ...(searchParam.length > 0 && { searchParam }),
    ...(operations.length > 0 && { operation: operations.map((name) => operationJson(type, name)) }),
  };
}

function operationJson(type: string, name: string): FhirJson {
  return { name, definition: `https://fhir.ee/mpi/OperationDefinition/${type}-${name}` };
}
