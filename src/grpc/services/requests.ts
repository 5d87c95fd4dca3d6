import { create } from "@bufbuild/protobuf";
import { type Timestamp, timestampMs } from "@bufbuild/protobuf/wkt";
import { type SearchParameter, SearchParameterSchema } from "#proto/patientindex/v1/search_parameter_pb.ts";
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

/** page_size and page_token of a search are `_count` and `_page` by other names, and give way to them. */
export function searchParameters(request: {
  parameters: SearchParameter[];
  pageSize: number;
  pageToken: string;
}): SearchParameter[] {
  const { parameters, pageSize, pageToken } = request;
  const given = new Set(parameters.map(({ name }) => name));
  const paging = [
    ...(pageSize !== 0 && !given.has("_count") ? [{ name: "_count", value: String(pageSize) }] : []),
    ...(pageToken !== "" && !given.has("_page") ? [{ name: "_page", value: pageToken }] : []),
  ];
  return [...parameters, ...paging.map((parameter) => create(SearchParameterSchema, parameter))];
}
