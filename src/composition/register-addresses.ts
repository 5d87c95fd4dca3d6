import type { RegisterAddresses } from "../registers/index.ts";
import { type Sandbox, startSandbox } from "../sandbox/index.ts";
import { registerSettings, sandboxData, sandboxHost } from "../settings/register-settings.ts";

/** The settings of the same names. */
interface Given {
  readonly rrUrl: string | undefined;
  readonly adsUrl: string | undefined;
  readonly torUrl: string | undefined;
  readonly skaUrl: string | undefined;
  readonly tkUrl: string | undefined;
  readonly wmUrl: string | undefined;
  readonly sandboxPort: number;
  readonly sandboxData: string | undefined;
}

/** Whether the sandbox runs with the core: it stands in for some register, and the adapters do not run apart. */
export function runsSandbox({
  registersAddress,
  rrUrl,
  adsUrl,
  torUrl,
  skaUrl,
  tkUrl,
  wmUrl,
}: Omit<Given, "sandboxPort" | "sandboxData"> & {
  readonly registersAddress: string | undefined;
}): boolean {
  return registersAddress === undefined && ![rrUrl, adsUrl, torUrl, skaUrl, tkUrl, wmUrl].every(Boolean);
}

/** Where the registers are: those without an address of their own are in the sandbox, which is started for them. */
export async function findRegisters(
  settings: Given,
): Promise<{ readonly addresses: RegisterAddresses; readonly sandbox: Sandbox | undefined }> {
  const { rrUrl: rr, adsUrl: ads, torUrl: tor, skaUrl: ska, tkUrl: tk, wmUrl: wm } = settings;
  if (rr && ads && tor && ska && tk && wm)
    return { addresses: { rr, ads, tor, ska, tk, wm }, sandbox: undefined };
  const { sandboxPort: port, sandboxData: given } = settings;
  const sandbox = await startSandbox({ host: sandboxHost, port, dataFile: sandboxData(given) });
  const inSandbox = (name: string) => `${sandbox.url}/r1/SANDBOX/GOV/00000000/${name}`;
  const addresses = {
    rr: rr ?? inSandbox("rr"),
    ads: ads ?? inSandbox("ads"),
    tor: tor ?? inSandbox("tor"),
    ska: ska ?? inSandbox("ska"),
    tk: tk ?? inSandbox("tk"),
    wm: wm ?? inSandbox("wm"),
  };
  return { addresses, sandbox };
}

const ADDRESSES = ["rrUrl", "adsUrl", "torUrl", "skaUrl", "tkUrl", "wmUrl"] as const;

const ON_THIS_MACHINE = /^(127\.[\d.]+|localhost|\[::1\])$/;

/** The settings of registers that are asked in plain text over a network. */
export function settingsInPlainText(settings: Given): string[] {
  const isInPlainText = (address: string) => {
    const { protocol, hostname } = new URL(address);
    return protocol === "http:" && !ON_THIS_MACHINE.test(hostname);
  };
  return ADDRESSES.filter((name) => settings[name] && isInPlainText(settings[name])).map(
    (name) => registerSettings[name].name,
  );
}
