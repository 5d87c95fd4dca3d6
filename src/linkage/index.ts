export { type Delivery, deliverAllNow, deliverNotifications } from "./deliver-notifications.ts";
export { linkPatients } from "./link-patients.ts";
export { linkSuccessor, type SuccessionLinking } from "./link-successor.ts";
export type { Linkage } from "./linkage.ts";
export type { Telling } from "./ports.ts";
export { readLinkGroup } from "./read-link-group.ts";
export { synchronousTeller } from "./telling.ts";
export { unlinkPatients } from "./unlink-patients.ts";
