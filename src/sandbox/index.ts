export { type Sandbox, startSandbox } from "./server.ts";
