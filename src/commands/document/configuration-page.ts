import { apartSettings } from "../../settings/apart-settings.ts";
import { errorSystemSettings } from "../../settings/error-system-settings.ts";
import { serviceSettings } from "../../settings/service-settings.ts";
import type { Setting } from "../../settings/setting.ts";

/** docs/configuration.md: every setting with its default; `ofGateway` are those of a gateway apart. */
export function configurationPage(ofGateway: Readonly<Record<string, Setting<unknown>>>): string {
  const settings = Object.values(serviceSettings) as Setting<unknown>[];
  const systems = errorSystemSettings.map(([, setting]) => setting);
  const apart = Object.values(apartSettings) as Setting<unknown>[];
  const ofBoth = Object.values(ofGateway).filter((setting) => !apart.includes(setting));
  return [
    "# Configuration",
    "",
    "Settings are environment variables, read once at the start. A wrong one stops the start and is named; an empty",
    "one counts as unset. This page is generated from `src/settings/` (`npm run docs`).",
    "Every program that reads settings warns of names that begin with `MPI_` and are no settings: misspelt, most likely.",
    "",
    ...table(settings),
    "",
    "## Error systems",
    "",
    "The URIs that error codes are given under (`OperationOutcome.issue.details.coding.system`).",
    "",
    ...table(systems),
    "",
    "## A gateway apart",
    "",
    "`npm run core` starts the core alone, `npm run gateway` a gateway that calls it. Of the settings above the gateway reads",
    nameList(ofBoth),
    "and `MPI_ERROR_SYSTEM_*`, and beside them these:",
    "",
    ...table(apart),
    "",
  ].join("\n");
}

function nameList(settings: readonly Setting<unknown>[]): string {
  return settings.map(({ name }) => `\`${name}\``).join(", ");
}

function table(settings: readonly Setting<unknown>[]): string[] {
  const rows = settings.map(
    (setting) => `| \`${setting.name}\` | ${shownDefault(setting)} | ${setting.meaning} |`,
  );
  return ["| setting | default | meaning |", "| --- | --- | --- |", ...rows];
}

function shownDefault({ fallback, shownDefault }: Setting<unknown>): string {
  if (shownDefault !== undefined) return shownDefault;
  return typeof fallback === "boolean" ? `\`${fallback ? "on" : "off"}\`` : `\`${fallback}\``;
}
