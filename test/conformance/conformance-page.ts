import { topics } from "./rules/index.ts";

/** docs/conformance.md: the checklist, as it is tested. */
export function conformancePage(): string {
  const count = topics.reduce((sum, { rules }) => sum + rules.length, 0);
  const lists = topics.map(({ title, file, rules }) =>
    [
      `## ${title}`,
      `\`test/conformance/rules/${file}\``,
      [
        "| rule | R5 |",
        "| --- | --- |",
        ...rules.map(({ rule, section }) => `| ${inCell(rule)} | ${linkTo(section)} |`),
      ].join("\n"),
    ].join("\n\n"),
  );
  return `${[introduction(count), ...lists, fuzzing].join("\n\n")}\n`;
}

function introduction(count: number): string {
  return `# Conformance with FHIR R5

${count} rules of the REST interface, each with its section of the R5 specification. This page is made by \`npm run docs\` from the
rules as they are tested: a line is a sentence, a section and a function that asks the whole service over HTTP and fails
when the sentence does not hold. So there is no line without a test; one that asks nothing fails.

    npx vitest run test/conformance

A time without an offset is of Europe/Tallinn; in the hour that comes twice in October it is of the first time, in the
hour that is left out in March of the hour after. What else was decided where R5 leaves it open is in \`docs/http.md\`.`;
}

const fuzzing = `## Invented requests

\`test/gateway/fuzz.long.test.ts\`, in the long tier, sends requests that are half right: paths, parameters, headers, bodies in
JSON and XML made from the official examples, batches and transactions, patches of both kinds. Sixteen are under way at a
time. No answer may be 5xx or take half a minute, every refusal must be a valid OperationOutcome, and the heap after
garbage collection must not grow from round to round.

| variable | meaning |
| --- | --- |
| \`MPI_FUZZ_REQUESTS\` | how many requests |
| \`MPI_FUZZ_SEED\` | a number that leads to the same requests again; each run prints its own |

    MPI_FUZZ_REQUESTS=100000 npx vitest run --mode long test/gateway/fuzz.long.test.ts`;

function linkTo(section: string): string {
  return `[${section}](https://hl7.org/fhir/R5/${section})`;
}

function inCell(text: string): string {
  return text.replace(/[\\|]/g, "\\$&");
}
