import { afterAll, beforeAll, expect, test } from "vitest";
import { type RunningService, startService } from "../service.ts";
import { editedExample, type Json, notKept } from "./edited-example.ts";
import { send } from "./http-client.ts";
import { examplesOf, exampleText } from "./official-examples.ts";

const files = examplesOf("Patient");

let service: RunningService;

beforeAll(async () => {
  service = await startService();
});

afterAll(() => service.stop());

test.each(files.map((file, index) => ({ file, index })))(
  "$file goes in and comes out without losing an element",
  async ({ file, index }) => {
    const example = withNumberTexts(exampleText(file));
    const given = editedExample(example as Json, `EXAMPLE${index}`);
    const body = JSON.stringify(given, numbersAsWritten);
    const created = await send(`${service.url}/fhir/Patient`, { method: "POST", body });
    expect(created.json.issue).toBeUndefined();
    expect(created.status).toBe(201);

    const read = await send(`${service.url}/fhir/Patient/${created.json.id}`);
    expect(read.text).toBe(created.text);
    const kept = Object.fromEntries(Object.entries(given).filter(([name]) => !notKept.includes(name)));
    const ours = { id: created.json.id, meta: { ...(kept["meta"] as Json), ...indexMeta(read.json) } };
    expect(withNumberTexts(read.text)).toMatchObject({ ...kept, ...ours });
    expect(Object.keys(read.json).filter((name) => notKept.includes(name))).toEqual([]);
  },
);

test("all 27 examples are there", () => {
  expect(files).toHaveLength(27);
});

/** What the index itself sets in meta. */
function indexMeta({ meta }: { readonly meta: Json }): Json {
  return { versionId: "1", lastUpdated: meta["lastUpdated"] };
}

/** JSON with every number as the text that it was written as. */
function withNumberTexts(text: string): unknown {
  return JSON.parse(text, (_name, value, { source }) =>
    typeof value === "number" ? { number: source } : value,
  );
}

function numbersAsWritten(_name: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("number" in value)) return value;
  return JSON.rawJSON(String(value.number));
}
