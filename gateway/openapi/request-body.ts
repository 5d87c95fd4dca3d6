import { operationDetails } from "../definitions/operations.ts";
import type { Interaction } from "../exchange/interaction.ts";
import { type BodyKind, bodyMediaTypes, isResourceType } from "../exchange/media-types.ts";
import { contentOf } from "./content.ts";
import { searchForm } from "./parameters.ts";
import { type OpenApiRequestBody, ref } from "./types.ts";

/** What the body of an interaction is, and whether it can be left out. */
export function requestBodyOf(interaction: Interaction, kind: BodyKind): OpenApiRequestBody {
  return { ...(isRequired(interaction, kind) && { required: true }), content: content(interaction, kind) };
}

/** A query can say what a form does, and Parameters; of an instance what is stored stands for the body. */
function isRequired({ code, path, parameters }: Interaction, kind: BodyKind): boolean {
  if (kind === "form") return false;
  return code !== "operation" || (parameters !== "core" && !path.includes("/:id/"));
}

function content(interaction: Interaction, kind: BodyKind): Record<string, object> {
  if (kind === "form")
    return Object.fromEntries(bodyMediaTypes.form.map((type) => [type, searchForm(interaction)]));
  if (kind === "resource") return contentOf(bodyMediaTypes.resource, ref("schemas", resourceOf(interaction)));
  const [fhir, others] = [true, false].map((one) =>
    bodyMediaTypes.patch.filter((type) => isResourceType(type) === one),
  );
  return { ...contentOf(others ?? [], jsonPatch), ...contentOf(fhir ?? [], ref("schemas", "Parameters")) };
}

/** RFC 6902. */
const jsonPatch = {
  type: "array",
  items: {
    type: "object",
    title: "JsonPatchOperation",
    required: ["op", "path"],
    properties: {
      op: { type: "string", enum: ["add", "remove", "replace", "move", "copy", "test"] },
      path: { type: "string" },
      from: { type: "string" },
      value: {},
    },
  },
};

/** An operation on a resource takes it in Parameters or as it is. */
function resourceOf({ code, operation, resourceType = "Resource" }: Interaction): string {
  if (code === "batch") return "Bundle";
  if (operation === undefined) return resourceType;
  const { parameters = [] } = operationDetails[operation] ?? {};
  return parameters.some(({ name, use }) => name === "resource" && use === "in") ? "Resource" : "Parameters";
}
