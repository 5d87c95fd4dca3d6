import {
  ofEachRegister,
  type RegisterAddresses,
  type RegisterName,
  registerNames,
} from "../registers/index.ts";
import { type Sandbox, startSandbox } from "../sandbox/index.ts";
import { registerSettings, sandboxData, sandboxHost } from "../settings/register-settings.ts";

/** The settings of where registers are, each named for its register. */
type AddressSettings = { readonly [Register in RegisterName as `${Register}Url`]: string | undefined };

/** The settings of the same names. */
interface Given extends AddressSettings {
  readonly sandboxPort: number;
  readonly sandboxData: string | undefined;
}

/** Whether the sandbox runs with the core: it stands in for some register, and the adapters do not run apart. */
export function runsSandbox({
  registersAddress,
  ...settings
}: AddressSettings & { readonly registersAddress: string | undefined }): boolean {
  return registersAddress === undefined && !areWhole(ownAddresses(settings));
}

/** Where the registers are: those without an address of their own are in the sandbox, which is started for them. */
export async function findRegisters(
  settings: Given,
): Promise<{ readonly addresses: RegisterAddresses; readonly sandbox: Sandbox | undefined }> {
  const own = ownAddresses(settings);
  if (areWhole(own)) return { addresses: own, sandbox: undefined };
  const { sandboxPort: port, sandboxData: given } = settings;
  const sandbox = await startSandbox({ host: sandboxHost, port, dataFile: sandboxData(given) });
  const inSandbox = (name: string) => `${sandbox.url}/r1/SANDBOX/GOV/00000000/${name}`;
  return { addresses: ofEachRegister((register) => own[register] ?? inSandbox(register)), sandbox };
}

/** The environment variable that says where a register is. */
export function addressVariable(register: RegisterName): string {
  return registerSettings[`${register}Url` as const].name;
}

const ON_THIS_MACHINE = /^(127\.[\d.]+|localhost|\[::1\])$/;

/** The settings of registers that are asked in plain text over a network. */
export function settingsInPlainText(settings: AddressSettings): string[] {
  const own = ownAddresses(settings);
  const isInPlainText = (address: string) => {
    const { protocol, hostname } = new URL(address);
    return protocol === "http:" && !ON_THIS_MACHINE.test(hostname);
  };
  return registerNames
    .filter((register) => own[register] !== undefined && isInPlainText(own[register]))
    .map(addressVariable);
}

/** The addresses that are set. */
function ownAddresses(settings: AddressSettings) {
  return ofEachRegister((register) => settings[`${register}Url` as const]);
}

function areWhole(
  addresses: Readonly<Record<RegisterName, string | undefined>>,
): addresses is RegisterAddresses {
  return registerNames.every((register) => addresses[register] !== undefined);
}
