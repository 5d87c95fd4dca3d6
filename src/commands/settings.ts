import { parseSettings, type Settings } from "../config.ts";
import { tellUnknownSettings } from "../settings/unknown-settings.ts";

/** The settings that this program runs with; those that nobody reads are told of. */
export function settingsOfProgram(): Settings {
  tellUnknownSettings(process.env, (unknown, words) => console.error(`${unknown.join(", ")}: ${words}`));
  return parseSettings(process.env);
}
