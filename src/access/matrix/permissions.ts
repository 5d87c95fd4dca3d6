import { type RoleGroup, roleGroups } from "./roles.ts";

/** A row of the matrix: who may do these interactions. */
export interface Permission {
  readonly interactions: readonly string[];
  /** Groups of roles that may. */
  readonly groups: readonly RoleGroup[];
  /** The right in the token that grants it to whatever role. */
  readonly scope?: string;
}

const practice = ["practitioner", "therapist", "specialist", "receptionist"] as const;
const writers = ["practitioner", "therapist", "receptionist"] as const;
const consumers = ["consumer", "consumer-limited"] as const;
const administration = ["administrator", "steward"] as const;

/** The permission matrix: security.md's table, row by row. What stands in no row is granted to nobody. */
export const permissions = [
  {
    interactions: ["search Patient", "$lookup", "$foreign", "$mrn", "$match"],
    groups: [...practice, "student"],
  },
  { interactions: ["search Patient by birthdate"], groups: [], scope: "birthdate-search" },
  { interactions: ["$name"], groups: [], scope: "name" },
  { interactions: ["$legal-relationship"], groups: [], scope: "legal-relationship" },
  {
    interactions: ["read Patient", "read RelatedPerson", "search RelatedPerson"],
    groups: [...practice, "student", ...consumers],
  },
  {
    interactions: [
      "history of one Patient",
      "history of one RelatedPerson",
      "history of one Observation",
      "$legal-status",
      "$legal-guardian",
      "$power-of-attorney",
      "$education",
      "$disability",
      "$incapacity-for-work",
      "$occupation",
      "read Observation",
      "search Observation",
    ],
    groups: [...practice, ...consumers],
  },
  { interactions: ["Patient/_history", "RelatedPerson/_history"], groups: practice },
  { interactions: ["create Patient"], groups: writers },
  { interactions: ["update Patient"], groups: [...writers, "consumer"] },
  {
    interactions: [
      "create RelatedPerson",
      "update RelatedPerson",
      "delete RelatedPerson",
      "create Observation",
      "update Observation",
      "delete Observation",
    ],
    groups: [...writers, "consumer"],
  },
  { interactions: ["$link", "$unlink"], groups: writers },
  { interactions: ["AuditEvent of a patient"], groups: ["consumer"] },
  { interactions: ["jobs", "keys", "review of possible duplicates"], groups: administration },
] as const satisfies readonly Permission[];

/** What one may or may not be allowed to do, by the name that MPI-403 tells. */
export type InteractionName = (typeof permissions)[number]["interactions"][number];

interface Grant {
  readonly roles: ReadonlySet<string>;
  readonly scope: string | undefined;
}

const grants: ReadonlyMap<InteractionName, Grant> = new Map(
  permissions.flatMap((permission: Permission) => {
    const roles = new Set<string>(permission.groups.flatMap((group) => roleGroups[group]));
    const grant = { roles, scope: permission.scope };
    return permission.interactions.map((name) => [name as InteractionName, grant] as const);
  }),
);

/** Whether a role, or one of the extra rights of a token, allows an interaction. */
export function isGranted(
  interaction: InteractionName,
  { role, scopes }: { readonly role: string; readonly scopes: readonly string[] },
): boolean {
  const grant = grants.get(interaction);
  if (!grant) return false;
  return grant.roles.has(role) || (grant.scope !== undefined && scopes.includes(grant.scope));
}
