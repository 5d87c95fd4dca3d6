import { httpSettings } from "../src/settings/http-settings.ts";
import { type Environment, readSettings, type SettingsOf } from "../src/settings/read-settings.ts";
import { flag, integer, setting, text } from "../src/settings/setting.ts";
import { tlsSettings } from "../src/settings/tls-settings.ts";

/** Settings that only a gateway has that runs apart from its core. */
export const coreSettings = {
  coreAddress: setting("MPI_CORE_ADDRESS", text, "127.0.0.1:50051", "gRPC address of the core."),
  coreChannels: setting("MPI_CORE_CHANNELS", integer(1, 64), 1, "Connections to the core."),
  gatherCalls: setting(
    "MPI_GATHER_CALLS",
    flag,
    true,
    "Look-ups made at the same moment go to the core as one call (docs/architecture.md); `off` sends each by itself.",
  ),
} as const;

const settingsTable = { ...httpSettings, ...coreSettings, ...tlsSettings } as const;

/** Settings of a gateway that runs apart from its core; docs/configuration.md has those of both. */
export type GatewaySettings = SettingsOf<typeof settingsTable>;

export function parseGatewaySettings(environment: Environment): GatewaySettings {
  return readSettings(settingsTable, environment);
}
