import { topics } from "./rules/index.ts";
import { badPrimitives } from "./validator/bad-primitives.ts";
import { jsonShapes } from "./validator/json-shapes.ts";
import { leftOut } from "./validator/left-out.ts";
import type { Shape } from "./validator/shape.ts";
import { xmlShapes } from "./validator/xml-shapes.ts";

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
  return `${[introduction(count), ...lists, validatorCases(), fuzzing].join("\n\n")}\n`;
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

function validatorCases(): string {
  const shapes = [...jsonShapes, ...xmlShapes, ...badPrimitives];
  const namesOf = (isValid: boolean) => caseNames(shapes.filter((shape) => shape.isValid === isValid));
  const reasons = leftOut.map(({ cases, reason }) => `| ${inCell(cases)} | ${inCell(reason)} |`);
  return `## Cases of HL7's validator

The cases of \`validator/manifest.json\` of FHIR/fhir-test-cases about the structure of R5, ${shapes.length} bodies, written anew as
Patients and Observations (\`test/conformance/validator\`); there is none of RelatedPerson. The structure check accepts what
is valid there, and refuses what is not. Those of \`r5/patch\` are in \`docs/http.md\`.

Accepted: ${namesOf(true)}.

Refused: ${namesOf(false)}.

| not run | why |
| --- | --- |
${reasons.join("\n")}`;
}

function caseNames(shapes: readonly Shape[]): string {
  return [...new Set(shapes.map(({ name, format }) => `\`${name}.${format}\``))].join(", ");
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

    MPI_FUZZ_SEED=1428735545 npx vitest run --mode long test/gateway/fuzz.long.test.ts

That seed was the first with 100,000 requests, which is the default: none failed. It took 955 s on two cores that were
shared with a load of 15 to 20; 23,308 were answered with 2xx or 304, the others were refused. The heap was 160 MB after the
second round and 161 MB after the last.`;

function linkTo(section: string): string {
  return `[${section}](https://hl7.org/fhir/R5/${section})`;
}

function inCell(text: string): string {
  return text.replace(/[\\|]/g, "\\$&");
}
