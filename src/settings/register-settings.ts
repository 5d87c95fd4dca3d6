import { join } from "node:path";
import { baseUrl, flag, grpcAddress, integer, optional, port, setting, text } from "./setting.ts";

function address(name: string, register: string) {
  return setting(
    name,
    optional(baseUrl),
    undefined,
    `${register} behind its security server: \`http://host/r1/{instance}/{class}/{member}/{subsystem}\`.`,
    "the sandbox",
  );
}

function xRoadClient(given: string): string {
  if (!/^[^/\s]+(?:\/[^/\s]+){2,3}$/.test(given))
    throw new Error("must be {instance}/{class}/{member}/{subsystem}");
  return given;
}

/** Settings of the registers, their adapters and the sandbox. */
export const registerSettings = {
  rrUrl: address("MPI_RR_URL", "The population register"),
  adsUrl: address("MPI_ADS_URL", "The address registry"),
  torUrl: address("MPI_TOR_URL", "The employment register"),
  skaUrl: address("MPI_SKA_URL", "The social insurance board"),
  tkUrl: address("MPI_TK_URL", "The unemployment insurance fund"),
  wmUrl: address("MPI_WM_URL", "The WM service"),
  xRoadClient: setting(
    "MPI_XROAD_CLIENT",
    xRoadClient,
    "EE/GOV/70009770/mpi",
    "X-Road-Client towards registers for calls that name none: `{instance}/{class}/{member}/{subsystem}`.",
  ),
  registerTimeout: setting(
    "MPI_REGISTER_TIMEOUT_MS",
    integer(10, 120_000),
    10_000,
    "Longest wait for a register, in milliseconds; the deadline of the request may leave less.",
  ),
  registerKeepSeconds: setting(
    "MPI_REGISTER_KEEP_SECONDS",
    integer(0, 31_536_000),
    86_400,
    "How long answers of registers are kept.",
  ),
  authorCheck: setting(
    "MPI_AUTHOR_CHECK",
    flag,
    true,
    "Check the authors of requests in the population register (MPI-063, MPI-066, MPI-091).",
  ),
  anonymousCode: setting(
    "MPI_ANONYMOUS_CODE",
    text,
    "00000000000",
    "Personal code by which an author says that it is nobody in particular; refused where authors are checked.",
  ),
  registersAddress: setting(
    "MPI_REGISTERS_ADDRESS",
    optional(grpcAddress),
    undefined,
    "gRPC address of register adapters that run apart (`npm run registers`).",
    "they run in the core",
  ),
  registersPort: setting(
    "MPI_REGISTERS_PORT",
    port,
    50_052,
    "Port of gRPC of adapters that run apart; 0 takes a free one.",
  ),
  sandboxPort: setting("MPI_SANDBOX_PORT", port, 8090, "Port of the sandbox; 0 takes a free one."),
  sandboxData: setting(
    "MPI_SANDBOX_DATA",
    optional(text),
    undefined,
    "People file of the sandbox.",
    "`src/sandbox/people.json`",
  ),
} as const;

/** The sandbox is for the machine that it runs on. */
export const sandboxHost = "127.0.0.1";

/** The people file of the settings, ours unless there is another. */
export function sandboxData(given: string | undefined): string {
  return given ?? join(import.meta.dirname, "..", "sandbox", "people.json");
}
