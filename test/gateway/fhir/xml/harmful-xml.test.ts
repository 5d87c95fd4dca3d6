import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunningService, startService } from "../../../service.ts";
import { sendXml } from "../../xml-client.ts";

let service: RunningService;
let base: string;

beforeAll(async () => {
  service = await startService();
  base = `${service.url}/fhir`;
});

afterAll(() => service.stop());

describe("bodies made to do harm are refused at once", () => {
  const lots = "lol".repeat(10);
  test.each<[what: string, body: string]>([
    [
      "entities of entities",
      `<!DOCTYPE p [<!ENTITY a "${lots}"><!ENTITY b "${"&a;".repeat(10)}"><!ENTITY c "${"&b;".repeat(10)}">]><Patient xmlns="http://hl7.org/fhir"><language value="&c;"/></Patient>`,
    ],
    [
      "an entity that is a file",
      '<!DOCTYPE p [<!ENTITY f SYSTEM "file:///etc/passwd">]><Patient xmlns="http://hl7.org/fhir"><language value="&f;"/></Patient>',
    ],
    [
      "a document type elsewhere",
      '<!DOCTYPE p SYSTEM "http://127.0.0.1:1/p.dtd"><Patient xmlns="http://hl7.org/fhir"/>',
    ],
    ["elements in each other", `<Patient xmlns="http://hl7.org/fhir">${"<extension>".repeat(90_000)}`],
    ["unknown elements in each other", `<a>`.repeat(300_000)],
    ["a million elements", `<Patient xmlns="http://hl7.org/fhir">${"<a/>".repeat(250_000)}</Patient>`],
    [
      "a million attributes",
      `<Patient ${Array.from({ length: 90_000 }, (_, at) => `a${at}=""`).join(" ")}/>`,
    ],
    ["a name of a megabyte", `<${"a".repeat(1_000_000)}/>`],
    [
      "an attribute of a megabyte",
      `<Patient xmlns="http://hl7.org/fhir"><gender value="${"a".repeat(1_000_000)}"/></Patient>`,
    ],
    ["a text of a megabyte", `<Patient xmlns="http://hl7.org/fhir">${"a".repeat(1_000_000)}</Patient>`],
    [
      "references without end",
      `<Patient xmlns="http://hl7.org/fhir"><language value="${"&#65;".repeat(200_000)}"/></Patient>`,
    ],
    [
      "an entity without end",
      `<Patient xmlns="http://hl7.org/fhir"><language value="&${"a".repeat(1_000_000)}`,
    ],
  ])("%s", async (_, body) => {
    expect(body.length).toBeLessThan(1024 * 1024);
    const before = process.memoryUsage().rss;
    const start = process.threadCpuUsage();
    const { status, json } = await sendXml(`${base}/Patient`, { method: "POST", body });
    expect(status).toBe(400);
    expect(json.issue.length).toBeGreaterThan(0);
    const { user, system } = process.threadCpuUsage(start);
    expect((user + system) / 1000).toBeLessThan(3_000);
    expect(process.memoryUsage().rss - before).toBeLessThan(256 * 1024 * 1024);
  });
});
