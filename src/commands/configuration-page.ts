import { errorSystemSettings, settingsTable } from "../config.ts";
import type { Setting } from "../settings/setting.ts";

/** docs/configuration.md: every setting with its default. */
export function configurationPage(): string {
  const settings = Object.values(settingsTable) as Setting<unknown>[];
  const systems = errorSystemSettings().map(([, setting]) => setting);
  return [
    "# Configuration",
    "",
    "Settings are environment variables, read once at the start. A wrong one stops the start and is named; an empty",
    "one counts as unset. This page is generated from `src/config.ts` (`npm run docs`).",
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
    "`npm run core` starts the core alone, `npm run gateway` a gateway that calls it. The gateway reads the settings of",
    "the FHIR interface above (`MPI_HTTP_*`, `MPI_PUBLIC_URL`, `MPI_DEFAULT_LANGUAGE`, `MPI_BODY_LIMIT`,",
    "`MPI_ERROR_SYSTEM_*`, `MPI_LOG_LEVEL`, `MPI_SHUTDOWN_GRACE_MS`), those of gRPC's TLS (`MPI_GRPC_TLS_*`), and three of",
    "its own:",
    "",
    "| setting | default | meaning |",
    "| --- | --- | --- |",
    "| `MPI_CORE_ADDRESS` | `127.0.0.1:50051` | gRPC address of the core. |",
    "| `MPI_CORE_CHANNELS` | `1` | Connections to the core. |",
    "| `MPI_GATHER_CALLS` | `on` | Look-ups made at the same moment go to the core as one call (docs/architecture.md); `off` sends each by itself. |",
    "",
  ].join("\n");
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
