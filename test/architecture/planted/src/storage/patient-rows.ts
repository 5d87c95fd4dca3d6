export { wrong } from "../patients/reaches-storage.ts";
