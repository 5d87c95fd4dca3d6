export { askedBy, refuseUnlistedMethods } from "./asked/asked-by.ts";
export { isConsumer, refuseOutOfReach, refuseUngranted } from "./authorize.ts";
export { type InteractionName, type Permission, permissions } from "./matrix/permissions.ts";
export { consumerGroups, type RoleGroup, roleGroups } from "./matrix/roles.ts";
export type { ConsumerReach } from "./reach/reach.ts";
