import fc from "fast-check";
import { type FhirJson, writeXml } from "../../../gateway/fhir/index.ts";
import { editedExample, type Json } from "../edited-example.ts";
import { examplesOf, exampleText } from "../official-examples.ts";
import { operation, parameters } from "../patch/patch-parameters.ts";

const examples = [...examplesOf("Patient"), ...examplesOf("RelatedPerson")]
  .map(exampleText)
  .filter((text) => text.length < 30_000);

/** Examples that the index takes. */
export const whole = fc
  .tuple(fc.constantFrom(...examples), fc.nat())
  .map(([text, at]) => resourceOf(text, at));

/** Resources in JSON, some of them with something wrong. */
export const resource = fc.oneof(
  whole,
  fc.tuple(whole, fc.nat(), fc.json({ maxDepth: 2 })).map(([json, at, value]) => mutated(json, at, value)),
);

/** The same in XML. */
export const resourceXml = fc.oneof(
  whole.map((json) => writeXml(JSON.parse(json) as FhirJson)),
  fc
    .tuple(whole, fc.nat(), fc.nat(60), xmlParts())
    .map(([json, at, length, part]) => mutatedXml(writeXml(JSON.parse(json) as FhirJson), at, length, part)),
);

/** JSON Patches. */
export const patch = fc
  .array(
    fc.record({
      op: fc.constantFrom("add", "remove", "copy", "test", "replace", "move"),
      path: pointer(),
      from: pointer(),
      value: fc.jsonValue({ maxDepth: 1 }),
    }),
    { maxLength: 3 },
  )
  .map((operations) => JSON.stringify(operations));

/** FHIRPath Patches. */
export const fhirPathPatch = fc
  .array(
    fc
      .tuple(
        fc.constantFrom("add", "insert", "delete", "replace", "move", "copy"),
        fc.record(
          {
            path: fhirPath(),
            name: fc.constantFrom("given", "use", "deceased", "extension", "__proto__"),
            index: fc.integer({ min: -1, max: 3 }),
            source: fc.nat(3),
            destination: fc.nat(3),
            value: fc.constantFrom<Json>(
              { valueString: "x" },
              { valueHumanName: { use: "official", text: "x" } },
              { valueHumanName: { nom: 1 } },
              { part: [{ name: "url", valueUri: "urn:x" }] },
            ),
          },
          { requiredKeys: ["path"] },
        ),
      )
      .map(([type, parts]) => operation(type, parts)),
    { maxLength: 3 },
  )
  .map((operations) => parameters(...operations));

/** An example that the index takes. */
function resourceOf(text: string, at: number): string {
  const example = JSON.parse(text) as Json;
  if (example["resourceType"] === "Patient") return JSON.stringify(editedExample(example, `F${at}`));
  const profile = ["https://fhir.ee/mpi/StructureDefinition/ee-mpi-related-person"];
  return JSON.stringify({ ...example, meta: { profile }, patient: { reference: `Patient/${(at % 3) + 1}` } });
}

/** JSON with one value somewhere in it replaced by the text of another. */
function mutated(json: string, at: number, replacement: string): string {
  const spots = [...json.matchAll(/:("[^"]*"|true|false|\d+)/g)];
  const spot = spots[at % spots.length];
  if (spot === undefined || spot[1]?.includes("Patient")) return json;
  return `${json.slice(0, spot.index + 1)}${replacement}${json.slice(spot.index + spot[0].length)}`;
}

/** XML with a piece of it replaced by another one. */
function mutatedXml(xml: string, at: number, length: number, part: string): string {
  const start = at % xml.length;
  return xml.slice(0, start) + part + xml.slice(start + length);
}

function xmlParts(): fc.Arbitrary<string> {
  return fc.oneof(
    fc.string({ unit: "binary", maxLength: 10 }),
    fc.constantFrom(
      ...["", "<", ">", '"', "/>", "<a>", "</a>", "<active value='true'/>", "<![CDATA[x]]>", "<!-- -->"],
      ...["<?x y?>", "<!DOCTYPE p>", "&#0;", "&amp;", "&e;", "text", ' xmlns="urn:x"', "<x:y/>", "]]>"],
    ),
  );
}

function fhirPath(): fc.Arbitrary<string> {
  const steps = fc.constantFrom(
    ...[
      "name",
      "given",
      "telecom",
      "extension",
      "deceased",
      "nom",
      "first()",
      "last()",
      "where(use = 'home')",
    ],
    ...["extension('urn:x')", "repeat(name)", "`name`", "ofType(HumanName)", "$this", ""],
  );
  const index = fc.constantFrom("", "", "[0]", "[1]", "[x]");
  return fc
    .array(fc.tuple(steps, index), { maxLength: 3 })
    .map((parts) => ["Patient", ...parts.map(([name, at]) => name + at)].join("."));
}

function pointer(): fc.Arbitrary<string> {
  const steps = fc.constantFrom("name", "0", "-", "given", "gender", "extension", "__proto__", "~1", "~2");
  return fc.array(steps, { maxLength: 3 }).map((parts) => parts.map((part) => `/${part}`).join(""));
}
