import { STATUS_CODES } from "node:http";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { MpiError } from "../../../src/errors/index.ts";
import { type Answer, jsonAnswer } from "../../exchange/answer.ts";
import { fhirJsonType } from "../../exchange/answer-form.ts";
import type { FhirRequest } from "../../exchange/fhir-request.ts";
import { jsonBody } from "../../exchange/resource-body.ts";
import { type FhirJson, parseJson, stringifyJson, tallinnInstant } from "../../fhir/index.ts";
import { failureAnswer } from "../../outcome/failure.ts";
import { answerTo } from "../admission.ts";
import type { Interaction } from "../interaction.ts";
import { pathPattern } from "../path-pattern.ts";
import { type BatchEntry, batchEntries } from "./entries.ts";

/** Requests of a batch that are under way at a time. */
const AT_A_TIME = 4;

interface Route {
  readonly interaction: Interaction;
  readonly pattern: RegExp;
}

/**
 * The batch of these interactions: each entry is a request of its own, whatever becomes of the others, and the
 * answers come in the order of the entries (FHIR http.html, 3.2.0.11).
 */
export function batchOf(interactions: readonly Interaction[]): Interaction {
  const routes = interactions.map((interaction) => ({
    interaction,
    pattern: pathPattern("", interaction.path),
  }));
  return {
    code: "batch",
    method: "POST",
    path: "",
    body: "resource",
    parameters: [],
    async handle(request) {
      const entries = batchEntries(jsonBody(request));
      const responses = await inOrder(entries, (entry) => answerEntry(request, entry, routes));
      return jsonAnswer(request, 200, { resourceType: "Bundle", type: "batch-response", entry: responses });
    },
  };
}

/** Works on a few at a time; the results stand in the order of the items. */
async function inOrder<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const waiting = items.entries();
  const worker = async () => {
    for (const [index, item] of waiting) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, worker));
  return results;
}

async function answerEntry(
  request: FhirRequest,
  entry: BatchEntry,
  routes: readonly Route[],
): Promise<FhirJson> {
  try {
    return entryJson(await requestEntry(request, entry, routes));
  } catch (error) {
    const { contract, language, setting } = request;
    const reader = { version: contract.version, language, systems: setting.errorSystems };
    return entryJson(failureAnswer(error, { ...reader, ifMatch: "if-match" in entry.conditions }));
  }
}

function requestEntry(
  request: FhirRequest,
  { method, url, resource, conditions }: BatchEntry,
  routes: readonly Route[],
): Promise<Answer> {
  const [path = "", query = ""] = `/${url.replace(/^\//, "")}`.split("?", 2);
  const route = routes.find(
    ({ interaction, pattern }) => interaction.method === method && pattern.test(path),
  );
  if (route === undefined) {
    const isKnown = routes.some(({ pattern }) => pattern.test(path));
    throw isKnown
      ? new MpiError("INTERACTION_NOT_OFFERED", { interaction: `${method} ${path}` })
      : new MpiError("ROUTE_UNKNOWN", { path });
  }
  const part = request.part({
    url: `${path}?${query}`,
    headers: { ...withoutConditions(request.headers), ...conditions, "content-type": fhirJsonType },
    params: route.pattern.exec(path)?.groups ?? {},
    body: resource === undefined ? undefined : Buffer.from(stringifyJson(resource)),
  });
  return answerTo(part, route.interaction);
}

/** Conditions are the entries' own, and what the whole was encoded in is no matter of theirs. */
function withoutConditions(headers: FhirRequest["headers"]): FhirRequest["headers"] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !/^(?:if-|content-)/.test(name)));
}

function instantOf(httpDate: string): string {
  return tallinnInstant(timestampFromMs(Date.parse(httpDate)));
}

function entryJson({ status, headers, body }: Answer): FhirJson {
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
      ...(lastModified !== undefined && { lastModified: instantOf(lastModified) }),
      ...(isOutcome && { outcome: json }),
    },
  };
}
