import { doctor, type TestCaller } from "../callers.ts";

/** Somebody who may start jobs. */
export const administrator: TestCaller = { ...doctor, role: "administrator" };
