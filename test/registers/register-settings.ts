import type { RegisterName } from "../../src/registers/index.ts";

/** The settings of a service whose registers are all in the sandbox that listens there. */
export function registerSettings(sandboxUrl: string): Record<`${RegisterName}Url`, string> {
  const at = (name: string) => `${sandboxUrl}/r1/EE/GOV/70000001/${name}`;
  return {
    rrUrl: at("rr"),
    adsUrl: at("ads"),
    torUrl: at("tor"),
    skaUrl: at("ska"),
    tkUrl: at("tk"),
    wmUrl: at("wm"),
  };
}
