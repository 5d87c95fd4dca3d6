export { askedBy, refuseUnlistedMethods } from "./asked/asked-by.ts";
export { isConsumer, refuseOutOfReach, refuseUngranted } from "./authorize.ts";
export type { ConsumerReach } from "./reach/reach.ts";
