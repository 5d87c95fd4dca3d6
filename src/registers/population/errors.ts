import { fault } from "../../errors/index.ts";
import { type AdapterErrors, ofSilence } from "../exchange/adapter-errors.ts";

/** Codes of the register by which a person is absent, or the account that asks is invalid. */
const PERSON_OR_ACCOUNT_INVALID: ReadonlySet<string> = new Set(["10027", "V10580"]);

/** XRR100, XRR200, XRR300 (spec registers.md, "Adapters"). */
export const populationErrors: AdapterErrors = {
  register: "RR",
  noAnswer: (silence) => fault("XROAD_RR_SYSTEM_ERROR", {}, ofSilence(silence)),
  refused: ({ code, original, isFromExchange }) =>
    !isFromExchange && PERSON_OR_ACCOUNT_INVALID.has(code)
      ? fault("XROAD_RR_PERSON_OR_ACCOUNT_INVALID", { original })
      : fault("XROAD_RR_REGISTER_ERROR", { original }),
};
