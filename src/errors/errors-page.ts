import { catalogueVersions, languages } from "./catalogue/entry.ts";
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

Every code that the index answers with, its texts and its status. This page is made from the catalogue in src/errors by
\`npm run docs\`; change the catalogue, not the page.

## A failure

Over HTTP a failure is an OperationOutcome. Its issues name the code and say it in words; \`expression\` points at what is wrong in the
request, where there is such a place ([http.md](http.md#errors)); a general code says more in \`diagnostics\`:

\`\`\`json
{
  "resourceType": "OperationOutcome",
  "issue": [
    {
      "severity": "error",
      "code": "not-found",
      "details": {
        "coding": [{ "system": "https://mpi.tehik.ee", "code": "MPI-400" }],
        "text": "General error of the FHIR server."
      },
      "diagnostics": "There is nothing at /fhir/Nonsense."
    }
  ]
}
\`\`\`

Over gRPC it is a status with two details: \`patientindex.v1.ErrorDetails\`, which has the same issues, and \`google.rpc.ErrorInfo\`
(domain \`${errorDomain}\`, reason = the meaning below).

- The **contract version** (${catalogueVersions.join(", ")}) decides code and text, the **language** of the request (${languages.join(", ")}) the wording.
- A **meaning** says the same in every version, so programs that speak gRPC go by it. A code may mean something else in another version.
- The general error MPI-400 keeps the status and issue type of what happened.

## How to read the tables

- Parameters of a text stand in \`\${…}\`.
- → is before the code of another meaning: a version that has no code for a meaning reports the nearest one that it has, with that one's
  text, status and issue type, and with the text of the meaning in \`diagnostics\`.
- *Raised by* says which requests meet a meaning, or why none does. For each one that is met there is a real request in test/atlas.
- *Situations reported as* a code, at the end, are failures that have no code of their own.

## Several faults

One answer reports everything that is wrong.

- No answer has more than ${mostIssues} issues of one refusal: a last one says how many were left out. Of the structure of a body no more are
  looked for, and none is counted.
- Over gRPC the encoded status is kept within ${statusSizeLimit} bytes: over-long values are cut, the last issues left out, and
  \`omitted_issues\` says how many. So it is of each patient of CreatePatients and LoadPatients.
- The index's own issues with severity error decide the status of an answer with several. It is that of the issue that comes first in
  this order, and of equals the first issue: ${statusPrecedence.map(grpcStatusName).join(", ")}.`;

function statusSection(): string {
  const rows = Object.values(GrpcStatus).map((status) => [
    grpcStatusName(status),
    String(httpStatusByGrpcStatus[status]),
  ]);
  return `## Statuses

How a gRPC status is told over HTTP. Meanings with an HTTP status that no gRPC status stands for show it in their row. ABORTED is 412 when the
request carried If-Match, If-None-Match or If-Unmodified-Since.

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
