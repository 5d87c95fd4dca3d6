import { type Environment, readSettings, type SettingsOf } from "./settings/read-settings.ts";
import { serviceSettings } from "./settings/service-settings.ts";

export type Settings = SettingsOf<typeof serviceSettings>;

/** Reads the settings of the environment. */
export function parseSettings(environment: Environment): Settings {
  return readSettings(serviceSettings, environment);
}
