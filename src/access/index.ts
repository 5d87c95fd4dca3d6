export { askedBy, refuseUnlistedMethods } from "./asked/asked-by.ts";
export { isConsumer, refuseOutOfReach, refuseUngranted } from "./authorize.ts";
export type { Claims } from "./callers/claims.ts";
export { type Authentication, identifyCaller } from "./callers/identify-caller.ts";
export { type InteractionName, type Permission, permissions } from "./matrix/permissions.ts";
export { consumerGroups, type RoleGroup, roleGroups } from "./matrix/roles.ts";
export type { TokenVerifier } from "./ports.ts";
export type { ConsumerReach } from "./reach/reach.ts";
export { type IssuerTrust, signatureAlgorithms, tokenVerifier } from "./tokens/verify-token.ts";
