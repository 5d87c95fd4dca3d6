import type { DescMessage } from "@bufbuild/protobuf";
import { type Fault, fault } from "../errors/index.ts";
import { type ElementPaths, knownPaths } from "../resources/index.ts";
import { type ParameterRules, unsuitable } from "./parameter-rules.ts";
import { parseSort, type SortOrder } from "./sort.ts";
import { unescaped } from "./values.ts";

const DEFAULT_COUNT = 20;
const MAXIMUM_COUNT = 100;

/** Which part of the matches is answered, and how. */
export interface ResultDraft<Key extends string> {
  /** From 1. */
  page: number;
  size: number;
  sort: readonly SortOrder<Key>[];
  /** Elements to answer with; all when empty. */
  elements: ElementPaths;
}

/** What holds when a search says nothing of its result: the first 20, last changed first, whole. */
export function defaultResult<Key extends string>(): ResultDraft<Key | "_lastUpdated"> {
  return {
    page: 1,
    size: DEFAULT_COUNT,
    sort: [{ key: "_lastUpdated", descending: true }],
    elements: new Map(),
  };
}

/** For a condition it matters only whether one fits or several: two are enough. */
export function resultOfCondition<Key extends string>(): ResultDraft<Key | "_lastUpdated"> {
  return { ...defaultResult<Key>(), size: 2 };
}

/** `_count`, `_page`, `_sort` and `_elements`, alike for every resource but for its elements and the keys to sort by. */
export function resultRules<Key extends string>(
  schema: DescMessage,
  keys: readonly Key[],
): ParameterRules<{ readonly result: ResultDraft<Key> }> {
  return {
    _count: { read: ([value = ""], { result }) => readCount(value, result) },
    _page: { read: ([value = ""], { result }) => readPage(value, result) },
    _sort: { manyValues: true, read: (values, { result }) => readSort(values, keys, result) },
    _elements: {
      manyValues: true,
      read: (values, { result }) => readElements(values, schema, result),
    },
  };
}

function readCount(value: string, result: ResultDraft<string>): Fault | undefined {
  const count = countOf(value);
  if (count === undefined) return unsuitable("_count");
  result.size = count;
  return undefined;
}

/** How many matches a page is to hold: at most 100; undefined for what is no number. */
export function countOf(value: string): number | undefined {
  return /^\d+$/.test(value) ? Math.min(Number(value), MAXIMUM_COUNT) : undefined;
}

function readPage(value: string, result: ResultDraft<string>): Fault | undefined {
  if (!/^[1-9]\d{0,8}$/.test(value)) return unsuitable("_page");
  result.page = Number(value);
  return undefined;
}

function readElements(
  values: readonly string[],
  schema: DescMessage,
  result: ResultDraft<string>,
): Fault | undefined {
  const paths = knownPaths(schema, values.map(unescaped));
  if (!paths) return unsuitable("_elements");
  result.elements = paths;
  return undefined;
}

function readSort<Key extends string>(
  values: readonly string[],
  keys: readonly Key[],
  result: ResultDraft<Key>,
): Fault | undefined {
  const sort = parseSort(values, keys);
  if (typeof sort === "string") {
    return fault("SORT_NOT_ALLOWED", { param: sort }, { expression: ["http._sort"] });
  }
  result.sort = sort;
  return undefined;
}
