import { apartSettings } from "../src/settings/apart-settings.ts";
import { httpSettings } from "../src/settings/http-settings.ts";
import { metricsSettings } from "../src/settings/metrics-settings.ts";
import { type Environment, readSettings, type SettingsOf } from "../src/settings/read-settings.ts";
import { tlsSettings } from "../src/settings/tls-settings.ts";
import { tracesSettings } from "../src/settings/traces-settings.ts";

/** Every setting of such a gateway. */
export const gatewaySettings = {
  ...httpSettings,
  ...apartSettings,
  ...tlsSettings,
  ...metricsSettings,
  ...tracesSettings,
} as const;

/** Settings of a gateway that runs apart from its core; docs/configuration.md has those of both. */
export type GatewaySettings = SettingsOf<typeof gatewaySettings>;

export function parseGatewaySettings(environment: Environment): GatewaySettings {
  return readSettings(gatewaySettings, environment);
}
