export { call } from "../../call/current-call.ts";
