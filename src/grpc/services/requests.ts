import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";
import type { ListRequest } from "../../resources/index.ts";

/** What every request for a list of versions or changes says, as the use cases want it. */
export function listRequest(request: {
  pageSize: number;
  pageToken: string;
  since?: Timestamp | undefined;
  oldestFirst: boolean;
}): ListRequest {
  const { pageSize, pageToken, since, oldestFirst } = request;
  return { pageSize, pageToken, oldestFirst, ...(since && { since: timestampDate(since) }) };
}
