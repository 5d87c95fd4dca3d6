import { canonical } from "../definitions/definition.ts";
import { structureDefinitions } from "../definitions/index.ts";
import { searchParameterUrl } from "../definitions/search-parameter-definitions.ts";
import { type SearchParameterEntry, searchParametersByType } from "../definitions/search-parameters.ts";
import type { Interaction, InteractionCode } from "../exchange/interaction.ts";
import { allResourceMediaTypes, bodyMediaTypes } from "../exchange/media-types.ts";
import type { FhirJson } from "../fhir/index.ts";
import { parameterRightsInWords, rightsInWords } from "./rights.ts";

/** What holds for every request: what the interface offers, as told by the table of what is registered. */
export function capabilityParts(interactions: readonly Interaction[], since: string): FhirJson {
  const types = [...new Set(interactions.flatMap(({ resourceType }) => resourceType ?? []))];
  const ofSystem = interactions
    .filter(({ resourceType }) => resourceType === undefined)
    .flatMap(({ code, otherCodes = [] }) => [code, ...otherCodes])
    .map((code) => ({ code }));
  return {
    status: "active",
    date: since,
    kind: "instance",
    software: { name: "Patient index" },
    fhirVersion: "5.0.0",
    format: ["json", "xml", ...allResourceMediaTypes],
    ...(interactions.some(({ body }) => body === "patch") && { patchFormat: bodyMediaTypes.patch }),
    rest: [
      {
        mode: "server",
        security,
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

const security = {
  service: [{ text: "Bearer token (JWT)" }],
  description:
    "Who calls is told by a bearer token (unless the deployment runs on headers alone) and the x-road headers. What the role, or a scope, allows stands with each interaction; whoever may not is refused with status 403. Roles that reach their own record reach that, or the one of a person whom they represent, and no other.",
};

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
  const searchParam = codes.includes("search-type")
    ? (searchParametersByType[type] ?? []).map((entry) => parameterJson(type, entry))
    : [];
  const supportedProfile = [...structureDefinitions.values()]
    .filter((definition) => definition.type === type && !definition.abstract)
    .map(({ url }) => url);
  const isConditional = (code: InteractionCode) =>
    interactions.some((interaction) => interaction.code === code && interaction.conditional);
  return {
    type,
    ...(supportedProfile.length > 0 && { supportedProfile }),
    interaction: codes.map((code) => ({ code, ...documented(rightsInWords({ code, resourceType: type })) })),
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
  const definition = canonical("OperationDefinition", `${type}-${name}`);
  const rights = rightsInWords({ code: "operation", resourceType: type, operation: name });
  return { name, definition, ...documented(rights) };
}

function parameterJson(type: string, { name, type: kind, documentation }: SearchParameterEntry): FhirJson {
  const rights = parameterRightsInWords(type, name);
  const definition = searchParameterUrl(type, name);
  const entry = { name, ...(definition !== undefined && { definition }), type: kind };
  return { ...entry, documentation: rights ? `${documentation} ${rights}` : documentation };
}

function documented(documentation: string | undefined): FhirJson {
  return documentation === undefined ? {} : { documentation };
}
