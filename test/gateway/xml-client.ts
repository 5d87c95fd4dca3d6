import { expect } from "vitest";
import { parseXml, stringifyJson } from "../../gateway/fhir/index.ts";
import { schemaFaults } from "./fhir/xml/schema.ts";
import { type HttpAnswer, type HttpRequest, send } from "./http-client.ts";

/** Content-Type of FHIR XML. */
export const XML = "application/fhir+xml; charset=utf-8";

/** Asks in XML, of which the answer must be valid by the official schema, and gives the FHIR JSON that says the same. */
export async function sendXml(url: string, request: HttpRequest = {}): Promise<HttpAnswer> {
  const headers = {
    accept: "application/fhir+xml",
    "content-type": "application/fhir+xml",
    ...request.headers,
  };
  const answer = await send(url, { ...request, headers });
  if (answer.text === "") return answer;
  expect(answer.headers.get("content-type")).toBe(XML);
  expect(schemaFaults(answer.text)).toEqual([]);
  return { ...answer, json: JSON.parse(stringifyJson(parseXml(answer.text).value)) };
}
