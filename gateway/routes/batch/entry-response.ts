import { STATUS_CODES } from "node:http";
import type { Answer } from "../../exchange/answer.ts";
import { type FhirJson, parseJson, tallinnInstant } from "../../fhir/index.ts";

/** The answer to an entry as an entry of the Bundle that answers the whole. */
export function responseEntry(answer: Answer, method: string): FhirJson {
  const { status, headers, lastUpdated } = answer;
  const { location, etag } = headers;
  const json = resourceOf(answer);
  const isOutcome = json?.["resourceType"] === "OperationOutcome";
  return {
    ...(json && !isOutcome && method !== "HEAD" && { resource: json }),
    response: {
      status: `${status} ${STATUS_CODES[status] ?? ""}`.trim(),
      ...(location !== undefined && { location }),
      ...(etag !== undefined && { etag }),
      ...(lastUpdated && { lastModified: tallinnInstant(lastUpdated) }),
      ...(isOutcome && { outcome: json }),
    },
  };
}

function resourceOf({ resource, body }: Answer): FhirJson | undefined {
  return resource ?? (body === undefined ? undefined : (parseJson(body).value as FhirJson));
}
