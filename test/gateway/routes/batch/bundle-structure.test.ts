import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunningService, startService } from "../../../service.ts";
import { type HttpAnswer, send } from "../../http-client.ts";
import { inventedPatient } from "../../invented-patient.ts";
import { sendXml } from "../../xml-client.ts";

type Json = Record<string, unknown>;

let service: RunningService;
let base: string;

beforeAll(async () => {
  service = await startService();
  base = `${service.url}/fhir`;
});

afterAll(() => service.stop());

function postBundle(bundle: Json, path = "", headers: Record<string, string> = {}): Promise<HttpAnswer> {
  return send(`${base}${path}`, {
    method: "POST",
    body: JSON.stringify({ resourceType: "Bundle", ...bundle }),
    headers,
  });
}

const request = { method: "POST", url: "Patient" };
const replacing = (ifMatch: unknown) => ({ request: { method: "PUT", url: "Patient/1", ifMatch } });

describe.each(["batch", "transaction"])("a %s", (type) => {
  test.each<[string, Json, string[]]>([
    ["a condition that is a number", { entry: [replacing(99)] }, ["Bundle.entry[0].request.ifMatch"]],
    ["a condition that is a list", { entry: [replacing(['W/"99"'])] }, ["Bundle.entry[0].request.ifMatch"]],
    ["a condition that is an object", { entry: [replacing({ a: 1 })] }, ["Bundle.entry[0].request.ifMatch"]],
    [
      "misspelt conditions, all of them",
      { entry: [{ request: { ...request, ifNoneExists: "_id=1" } }, { request: { ...request, bar: 1 } }] },
      ["Bundle.entry[0].request.ifNoneExists", "Bundle.entry[1].request.bar"],
    ],
    ["an unknown element of an entry", { entry: [{ request, note: "x" }] }, ["Bundle.entry[0].note"]],
    ["a full URL that is none", { entry: [{ request, fullUrl: 7 }] }, ["Bundle.entry[0].fullUrl"]],
    ["a total that is no number", { total: "x" }, ["Bundle.total"]],
    ["an unknown element of its own", { entries: [] }, ["Bundle.entries"]],
  ])("with %s is refused whole, and nothing is stored", async (_what, bundle, expression) => {
    const patient = inventedPatient();
    const given = (bundle["entry"] ?? []) as Json[];
    const [{ system, value }] = patient["identifier"] as [{ system: string; value: string }];
    const { status, json } = await postBundle({
      type,
      ...bundle,
      entry: [...given, { resource: patient, request }],
    });
    expect(status).toBe(400);
    const issues: { expression: string[]; details: { coding: { code: string }[] } }[] = json.issue;
    expect(issues.flatMap((issue) => issue.expression)).toEqual(expression);
    expect(issues.map(({ details }) => details.coding[0]?.code)).toEqual(expression.map(() => "MPI-096"));
    expect((await send(`${base}/Patient?identifier=${system}|${value}`)).json.total).toBe(0);
  });

  test("may say more than is needed of it", async () => {
    const { status, json } = await postBundle({
      type,
      id: "b1",
      meta: { tag: [{ system: "urn:x", code: "y" }] },
      timestamp: "2026-04-01T10:00:00+03:00",
      identifier: { system: "urn:x", value: "1" },
      link: [{ relation: "self", url: "https://his.example/fhir" }],
      entry: [
        {
          id: "e1",
          extension: [{ url: "https://his.example/order", valueInteger: 1 }],
          fullUrl: "urn:uuid:6a1b7c2d-0000-4000-8000-000000000003",
          resource: inventedPatient(),
          request: { ...request, _url: { extension: [{ url: "https://his.example/x", valueCode: "y" }] } },
        },
      ],
    });
    expect([status, json.entry[0].response.status]).toEqual([200, "201 Created"]);
  });

  test("is answered in the form that _format asks for, whatever Accept says", async () => {
    const entry = [
      { resource: inventedPatient(), request },
      { request: { method: "GET", url: "Patient?_id=1" } },
    ];
    const { status, json } = await postBundle({ type, entry }, "?_format=json", { accept: "text/html" });
    expect(status).toBe(200);
    expect(json.entry.map(({ response }: { response: Json }) => response["status"])).toEqual([
      "201 Created",
      "200 OK",
    ]);
  });
});

describe("a resource in XML that is wrong in its structure", () => {
  const entryOf = (resource: string) =>
    `<entry><resource>${resource}</resource><request><method value="POST"/><url value="Patient"/></request></entry>`;
  const bundleOf = (type: string, ...entries: string[]) =>
    `<Bundle xmlns="http://hl7.org/fhir"><type value="${type}"/>${entries.join("")}</Bundle>`;
  const good = '<entry><request><method value="GET"/><url value="metadata"/></request></entry>';
  const expressionsOf = (outcome: { issue: { expression?: string[] }[] }) =>
    outcome.issue.flatMap(({ expression = [] }) => expression);

  test.each<[string, string, string[]]>([
    ["an unknown element", '<Patient><foo value="1"/></Patient>', ["Patient.foo"]],
    [
      "elements out of order",
      '<Patient><gender value="male"/><active value="true"/></Patient>',
      ["Patient.active"],
    ],
    ["text", "<Patient>hello</Patient>", ["Patient"]],
    [
      "an element twice",
      '<Patient><active value="true"/><active value="true"/></Patient>',
      ["Patient.active"],
    ],
    [
      "faults of XML and of values, all of them",
      '<Patient><active value="1"/><birthDate value="x"/></Patient>',
      ["Patient.active", "Patient.birthDate"],
    ],
    ["a type that R5 does not have", '<Planet><foo value="1"/></Planet>', ["Patient"]],
  ])(
    "is refused in its entry of a batch, and the others are answered: %s",
    async (_what, resource, expected) => {
      const body = bundleOf("batch", entryOf(resource), good);
      const { status, json } = await sendXml(base, { method: "POST", body });
      expect(status).toBe(200);
      expect(json.entry.map(({ response }: { response: Json }) => response["status"])).toEqual([
        "400 Bad Request",
        "200 OK",
      ]);
      expect(expressionsOf(json.entry[0].response.outcome)).toEqual(expected);
    },
  );

  test("is refused with all those of a transaction", async () => {
    const body = bundleOf(
      "transaction",
      entryOf('<Patient><foo value="1"/></Patient>'),
      entryOf("<Planet/>"),
    );
    const { status, json } = await sendXml(base, { method: "POST", body });
    expect([status, expressionsOf(json)]).toEqual([
      400,
      ["Bundle.entry[0].resource.foo", "Bundle.entry[1].resource"],
    ]);
  });
});
