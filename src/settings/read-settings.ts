import type { ErrorSystems } from "../errors/index.ts";
import { errorSystemSettings } from "./error-system-settings.ts";
import type { Setting } from "./setting.ts";
import { type tlsSettings, unfitTlsSettings } from "./tls-settings.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** Every process that has settings has those of TLS. */
type Table = Readonly<Record<string, Setting<unknown>>> & typeof tlsSettings;

/** The values of a table of settings, and those that every process has. */
export type SettingsOf<Settings extends Table> = {
  readonly [Key in keyof Settings]: Settings[Key] extends Setting<infer Value> ? Value : never;
} & {
  readonly errorSystems: ErrorSystems;
};

/** Settings that cannot be used, each with its reason; the service does not start with them. */
class SettingsError extends Error {
  override readonly name = "SettingsError";
}

/** Refuses to start with settings that are wrong or missing, each told in words. */
export function refuseSettings(wrong: readonly string[]): void {
  if (wrong.length > 0) throw new SettingsError(wrong.join("\n"));
}

/** Reads the settings of a table; an empty variable counts as unset. Everything that is wrong is said at once. */
export function readSettings<Settings extends Table>(
  table: Settings,
  environment: Environment,
): SettingsOf<Settings> {
  const wrong: string[] = [];
  const read = <Value>({ name, parse, fallback }: Setting<Value>): Value => {
    const given = environment[name];
    if (given === undefined || given === "") return fallback;
    try {
      return parse(given);
    } catch (cause) {
      wrong.push(`${name} ${(cause as Error).message}.`);
      return fallback;
    }
  };
  const values = Object.fromEntries(Object.entries(table).map(([key, entry]) => [key, read(entry)]));
  const errorSystems = Object.fromEntries(
    errorSystemSettings.map(([system, entry]) => [system, read(entry)]),
  );
  refuseSettings([
    ...wrong,
    ...unfitTlsSettings(environment, values as unknown as SettingsOf<typeof tlsSettings>),
  ]);
  return { ...values, errorSystems } as unknown as SettingsOf<Settings>;
}
