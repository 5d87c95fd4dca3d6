/** The roles of tokens by group, as security.md has them; a role of no group has no rights. */
export const roleGroups = {
  practitioner: ["doctor", "midwife", "nurse"],
  therapist: ["clinical-psychologist", "speech-therapist", "physiotherapist"],
  student: ["student"],
  specialist: ["specialist"],
  receptionist: ["receptionist"],
  consumer: ["patient", "legal-representative", "consent-representative"],
  "consumer-limited": ["patient-limited", "consent-representative-limited"],
  administrator: ["administrator"],
  steward: ["steward"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type RoleGroup = keyof typeof roleGroups;

/** Groups whose callers reach their own record, or one that they represent, and no other. */
export const consumerGroups = ["consumer", "consumer-limited"] as const satisfies readonly RoleGroup[];

type ConsumerRole = (typeof roleGroups)[(typeof consumerGroups)[number]][number];

/**
 * What makes a consumer the representative of the person that the token names: nothing at all, the token itself, or
 * custody or guardianship in the population register.
 */
const representations: Readonly<Record<ConsumerRole, "none" | "token" | "register">> = {
  patient: "none",
  "patient-limited": "none",
  "legal-representative": "register",
  "consent-representative": "token",
  "consent-representative-limited": "token",
};

/** Whether callers of that role reach single records only. */
export function isConsumerRole(role: string): role is ConsumerRole {
  return Object.hasOwn(representations, role);
}

/** What makes a caller of that role a representative; "none" for roles that are not those of consumers. */
export function representationBy(role: string): "none" | "token" | "register" {
  return isConsumerRole(role) ? representations[role] : "none";
}
