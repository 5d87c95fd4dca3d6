import {
  defaultErrorSystems,
  type ErrorSystem,
  registerCodeIssue,
  renderIssues,
} from "../../errors/index.ts";
import type { RegisterName } from "../../registers/index.ts";

const SYSTEMS: Readonly<Record<RegisterName, ErrorSystem | undefined>> = {
  rr: "RR",
  ads: "LAND_BOARD_ADS",
  tor: "TAX_BOARD_TOR",
  ska: "SOCIAL_INSURANCE",
  tk: "UNEMPLOYMENT_FUND",
  wm: undefined,
};

/** A register says no, in its own words. */
export class RegisterError extends Error {
  override readonly name = "RegisterError";
  readonly code: string | undefined;

  constructor(code: string | undefined, message: string) {
    super(message);
    this.code = code;
  }
}

/** The error of a register with its own text, where the catalogue has the code. */
export function registerError(register: RegisterName, code: string): RegisterError {
  const system = SYSTEMS[register];
  if (!system) return new RegisterError(code, code);
  const issue = registerCodeIssue(system, code);
  const [shown] = renderIssues([issue], { version: "1.5.0", language: "et", systems: defaultErrorSystems });
  return new RegisterError(code, shown?.text ?? code);
}
