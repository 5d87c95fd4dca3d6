import { STATUS_CODES } from "node:http";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { Answer } from "../../exchange/answer.ts";
import { type FhirJson, parseJson, tallinnInstant } from "../../fhir/index.ts";

/** The answer to an entry as an entry of the Bundle that answers the whole. */
export function responseEntry({ status, headers, body }: Answer): FhirJson {
  const { location, etag } = headers;
  const lastModified = headers["last-modified"];
  const json = body === undefined ? undefined : (parseJson(body).value as FhirJson);
  const isOutcome = json?.["resourceType"] === "OperationOutcome";
  return {
    ...(json && !isOutcome && { resource: json }),
    response: {
      status: `${status} ${STATUS_CODES[status] ?? ""}`.trim(),
      ...(location !== undefined && { location }),
      ...(etag !== undefined && { etag }),
      ...(lastModified !== undefined && { lastModified: lastUpdatedOf(json) ?? instantOf(lastModified) }),
      ...(isOutcome && { outcome: json }),
    },
  };
}

/** When the resource that is shown was stored; the header knows no fractions of seconds. */
function lastUpdatedOf(resource: FhirJson | undefined): string | undefined {
  const meta = resource?.["meta"] as FhirJson | undefined;
  return meta?.["lastUpdated"] as string | undefined;
}

function instantOf(httpDate: string): string {
  return tallinnInstant(timestampFromMs(Date.parse(httpDate)));
}
