import type { Interaction } from "../exchange/interaction.ts";
import { type Granted, granted } from "./granted.gen.ts";

/** Who may do an interaction, in words; undefined for what is open to everybody. */
export function rightsInWords(interaction: Pick<Interaction, "code" | "resourceType" | "operation">) {
  // The matrix speaks of writes; a validation is asked for with the right to the one that it is of.
  if (interaction.operation === "validate") return "Whoever may do what is validated.";
  const found = granted[rightOf(interaction)];
  return found && inWords(found);
}

/** What the token must hold beside a role to search by a parameter, in words; undefined where nothing. */
export function parameterRightsInWords(type: string, parameter: string): string | undefined {
  const found = granted[`search ${type} by ${parameter}`];
  return found && inWords(found);
}

/** The name that the permission matrix has for an interaction. */
function rightOf({
  code,
  resourceType = "",
  operation,
}: Pick<Interaction, "code" | "resourceType" | "operation">): string {
  if (operation !== undefined) return `$${operation}`;
  if (resourceType === "AuditEvent") return "AuditEvent of a patient";
  switch (code) {
    case "vread":
    case "history-instance":
      return `history of one ${resourceType}`;
    case "history-type":
      return `${resourceType}/_history`;
    case "search-type":
      return `search ${resourceType}`;
    case "patch":
      return `update ${resourceType}`;
    default:
      return `${code} ${resourceType}`;
  }
}

function inWords({ roles, ownRecord, scope }: Granted): string {
  const parts = [
    ...(roles.length > 0 ? [`Roles: ${roles.join(", ")}.`] : []),
    ...(ownRecord.length > 0 ? [`Of one's own record: ${ownRecord.join(", ")}.`] : []),
    ...(scope !== undefined ? [`Scope of the token: ${scope}.`] : []),
  ];
  return parts.join(" ");
}
