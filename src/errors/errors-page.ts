import { catalogueVersions } from "./catalogue/entry.ts";
import { statusPrecedence } from "./deciding.ts";
import { defaultErrorSystems, type ErrorSystem } from "./error-systems.ts";
import {
  haveDetails,
  meaningsWithSituations,
  newestCode,
  situationTable,
  systemTable,
  type Table,
} from "./errors-page-rows.ts";
import { GrpcStatus, grpcStatusName } from "./grpc-status.ts";
import { httpStatusByGrpcStatus } from "./http-status.ts";
import { errorDomain, mostIssues, statusSizeLimit } from "./rendering.ts";

/** docs/errors.md, made of nothing but the catalogue and the tables that decide statuses. */
export function errorsPage(): string {
  const sections = [introduction, statusSection(), ...systemSections(), ...situationSections()];
  return `${sections.join("\n\n")}\n`;
}

const introduction = `# Errors

This page is made from the catalogue in src/errors by \`npm run docs\`; change the catalogue, not the page.

Every failure is an OperationOutcome over HTTP, and a status with the details \`patientindex.v1.ErrorDetails\` and
\`google.rpc.ErrorInfo\` (domain \`${errorDomain}\`, reason = the meaning below) over gRPC. The contract version
(${catalogueVersions.join(", ")}) decides code and text, the language of the request (et, en) the wording; parameters stand in
\`\${…}\`. A meaning that a version has no code for is reported as the nearest one that it has (→ in the tables), with that
one's text, status and issue type, and with its own text in \`diagnostics\`. The general error MPI-400 keeps the status
and issue type of what happened. The last column says which requests meet a meaning, or why none does: for each one
that is met there is a real request in test/atlas.

One answer reports everything that is wrong. Over gRPC the encoded status is kept within ${statusSizeLimit} bytes: over-long values are
cut, the last issues left out, and \`omitted_issues\` says how many; so it is of each patient of CreatePatients and LoadPatients.
No answer has more than ${mostIssues} issues of one refusal: a last one says how many were left out; of the structure of a
body no more are looked for, and none is counted.

The index's own issues with severity error decide the status of an answer with several: the one that comes first in this order, and
of equals the first issue: ${statusPrecedence.map(grpcStatusName).join(", ")}.`;

function statusSection(): string {
  const rows = Object.values(GrpcStatus).map((status) => [
    grpcStatusName(status),
    String(httpStatusByGrpcStatus[status]),
  ]);
  return `## Statuses

ABORTED is 412 when the request carried If-Match, If-None-Match or If-Unmodified-Since. Meanings with an HTTP status that no gRPC status stands for show it in their row.

${markdown({ head: ["gRPC status", "HTTP"], rows })}`;
}

function systemSections(): string[] {
  return (Object.keys(defaultErrorSystems) as ErrorSystem[]).map((system) => {
    const table = systemTable(system);
    const body = table.rows.length === 0 ? "Codes are shown as the register gives them." : markdown(table);
    return `## ${system}\n\n\`${defaultErrorSystems[system]}\`, or the setting \`MPI_ERROR_SYSTEM_${system}\`.\n\n${body}`;
  });
}

function situationSections(): string[] {
  return meaningsWithSituations().map(
    (meaning) => `## Situations reported as ${newestCode(meaning)}

With the code and text of \`${meaning}\`${placeOfDetail(meaning)}.

${markdown(situationTable(meaning))}`,
  );
}

function placeOfDetail(meaning: string): string {
  if (!haveDetails(meaning)) return "";
  return meaning === "INPUT_INVALID" ? ", this text as its message" : ", this text in the diagnostics";
}

function markdown({ head, rows }: Table): string {
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
