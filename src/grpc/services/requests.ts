import { type Timestamp, timestampMs } from "@bufbuild/protobuf/wkt";
import type { ListRequest } from "../../resources/index.ts";
import { nearestInstant } from "../../time/fhir-date.ts";

/** What every request for a list of versions or changes says, as the use cases want it. */
export function listRequest(request: {
  pageSize: number;
  pageToken: string;
  since?: Timestamp | undefined;
  oldestFirst: boolean;
}): ListRequest {
  const { pageSize, pageToken, since, oldestFirst } = request;
  return { pageSize, pageToken, oldestFirst, ...(since && { since: instantOf(since) }) };
}

/** The instant of a Timestamp; what is outside the years that it may say is at their end. */
export function instantOf(timestamp: Timestamp): Date {
  return nearestInstant(timestampMs(timestamp));
}
