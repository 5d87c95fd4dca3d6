import { create } from "@bufbuild/protobuf";
import { type SearchParameter, SearchParameterSchema } from "#proto/patientindex/v1/search_parameter_pb.ts";
import { atElements } from "../../errors/index.ts";

/** What every search asks for. */
interface SearchRequest {
  readonly parameters: SearchParameter[];
  readonly pageSize: number;
  readonly pageToken: string;
}

/** The fields of a request by the parameters that they stand for. */
const FIELDS: ReadonlyMap<string, string> = new Map([
  ["_count", "page_size"],
  ["_page", "page_token"],
]);

/**
 * Does a search: page_size and page_token are `_count` and `_page` by other names, and give way to them. What is wrong
 * with one of the fields is said of it by the name that its caller knows.
 */
export async function searching<Found>(
  { parameters, pageSize, pageToken }: SearchRequest,
  search: (parameters: SearchParameter[]) => Promise<Found>,
): Promise<Found> {
  const given = new Set(parameters.map(({ name }) => name));
  const fields = [
    ...(pageSize !== 0 && !given.has("_count") ? [parameter("_count", String(pageSize))] : []),
    ...(pageToken !== "" && !given.has("_page") ? [parameter("_page", pageToken)] : []),
  ];
  const names = new Map(fields.map(({ name }) => [`http.${name}`, FIELDS.get(name)]));
  try {
    return await search(withSizeOfPage([...parameters, ...fields]));
  } catch (error) {
    throw atElements(error, (expression) => names.get(expression) ?? expression);
  }
}

const TOKEN = /^(\d{1,9}):(\d{1,3})$/;

/** The token of a page: its number, and the size of pages that are numbered so, whatever size the next caller names. */
export function searchPageToken(page: number, pageSize: number): string {
  return `${page}:${pageSize}`;
}

/** A token as the number and the size that it stands for. */
function withSizeOfPage(parameters: SearchParameter[]): SearchParameter[] {
  const place = parameters.find(({ name, value }) => name === "_page" && TOKEN.test(value));
  const [, page, size] = TOKEN.exec(place?.value ?? "") ?? [];
  if (page === undefined || size === undefined) return parameters;
  const others = parameters.filter((one) => one !== place && one.name !== "_count");
  return [...others, parameter("_count", size), parameter("_page", page)];
}

function parameter(name: string, value: string): SearchParameter {
  return create(SearchParameterSchema, { name, value });
}
