export { PeopleFileError } from "./people-file.ts";
export { type Sandbox, startSandbox } from "./server.ts";
