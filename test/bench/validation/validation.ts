import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

/** How fast one core validates a patient that comes as FHIR JSON. */
export interface Validation {
  /** Mean size of the texts. */
  readonly bytes: number;
  /** All three steps after another. */
  readonly perSecond: number;
  /** Each step by itself. */
  readonly microseconds: { readonly decode: number; readonly structure: number; readonly rules: number };
}

/** Measures in a process of its own, where nothing else was compiled. */
export async function measureValidation(seconds: number): Promise<Validation> {
  const program = join(import.meta.dirname, "run.ts");
  const { stdout } = await promisify(execFile)(process.execPath, [program, String(seconds)]);
  return JSON.parse(stdout) as Validation;
}
