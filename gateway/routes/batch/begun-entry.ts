import { atElements, MpiError } from "../../../src/errors/index.ts";
import { type Reached, withRelativeReferences } from "../../../src/references/index.ts";
import type { Answer } from "../../exchange/answer.ts";
import { beginCaptured } from "../../exchange/begin-captured.ts";
import type { FhirRequest } from "../../exchange/fhir-request.ts";
import { etagsIn, faultsOfConditions } from "../../exchange/preconditions.ts";
import { creationCriteria, ownParameters, type Parameter, parseParameters } from "../../exchange/query.ts";
import type { CapturedCall } from "../../transport/captured-call.ts";
import { answerTo } from "../admission.ts";
import { requestName } from "../path-pattern.ts";
import type { AnswerRoom } from "./answer-room.ts";
import type { BundleEntry } from "./entries.ts";
import { type EntryRequest, entryRequest, type Routes, sharedHeaders, splitUrl } from "./entry-request.ts";

/** An entry whose interaction waits for its call of the core, has answered without one, or has refused it. */
export type BegunEntry = WaitingEntry | AnsweredEntry | FailedEntry;

export interface WaitingEntry extends AnsweredEntry, Condition {
  readonly call: CapturedCall;
}

export interface AnsweredEntry {
  readonly entry: BundleEntry;
  readonly answer: Promise<Answer>;
}

export interface FailedEntry {
  readonly entry: BundleEntry;
  readonly error: unknown;
}

/** What a search must give for an entry to be done: the core looks at it within the transaction. */
export interface Condition {
  readonly criteria: readonly Parameter[];
  /** ETags of versions; the entry is refused when what fits is at one of them. */
  readonly unwantedEtags: readonly string[];
}

const UNCONDITIONAL: Condition = { criteria: [], unwantedEtags: [] };

/** These may look at the version that they then replace. */
const READ_AHEAD: ReadonlySet<string> = new Set(["PATCH", "PUT", "DELETE"]);

/** A patch begins with a read of what it changes. */
const READING = { code: "read" } as const;

/** Begins what the entry asks. A patch, and a write under a condition, read ahead. */
export async function beginEntry(
  request: FhirRequest,
  entry: BundleEntry,
  routes: Routes,
  room: AnswerRoom,
): Promise<BegunEntry> {
  try {
    if (entry.method === "PATCH") room.refuseWhenFull(READING);
    const { criteria, unwantedEtags, interaction, part } = conditionOf(
      entryRequest(sharedHeaders(request), entry, routes),
      entry,
      routes,
      request,
    );
    const capturing = {
      transport: request.gateway.transport,
      passes: (method: string) => READ_AHEAD.has(entry.method) && method.startsWith("read"),
      interaction: requestName(entry.method, interaction.path),
    };
    const { call, answer } = await beginCaptured(capturing, (core) =>
      answerTo(request.part({ ...part, refersToParts: true }, core), interaction),
    );
    if (!call) return { entry, answer };
    return { entry, call, criteria: withRelativeReferences(criteria, request), unwantedEtags, answer };
  } catch (error) {
    return { entry, error };
  }
}

/** A conditional interaction as the unconditional one that it comes to, with its condition apart. */
function conditionOf(
  { interaction, part }: EntryRequest,
  { method, url }: BundleEntry,
  routes: Routes,
  reached: Reached,
): EntryRequest & Condition {
  if (!interaction.conditional) return { interaction, part, ...UNCONDITIONAL };
  if (method === "POST") {
    const { "if-none-exist": condition, ...headers } = part.headers;
    if (condition === undefined) return { interaction, part, ...UNCONDITIONAL };
    const criteria = ofIfNoneExist(() =>
      creationCriteria(interaction.resourceType ?? "", String(condition), reached),
    );
    return { interaction, part: { ...part, headers }, ...UNCONDITIONAL, criteria };
  }
  const [path, query] = splitUrl(url);
  const plain = routes.all.find(
    (route) =>
      route.interaction.method === method &&
      route.interaction.resourceType === interaction.resourceType &&
      !route.interaction.conditional,
  );
  if (!plain) return { interaction, part, ...UNCONDITIONAL };
  const { headers, unwantedEtags } = withoutEtags(part.headers);
  const unnamed = { ...part, url: path, params: { id: "" }, headers };
  return {
    interaction: plain.interaction,
    part: unnamed,
    criteria: demanded(ownParameters({ parameters: parseParameters(query) })),
    unwantedEtags,
  };
}

/** Criteria of If-None-Exist: what is wrong with them stands there, and not in the address. */
function ofIfNoneExist(read: () => readonly Parameter[]): readonly Parameter[] {
  try {
    return demanded(read());
  } catch (error) {
    throw atElements(error, () => "http.if-none-exist");
  }
}

/** Headers without the etags of If-None-Match: which version they are compared with is not known here. */
function withoutEtags(headers: FhirRequest["headers"]) {
  const { "if-none-match": tags, ...others } = headers;
  const unwantedEtags = etagsIn(tags ?? "");
  const isRefused = faultsOfConditions(headers).length > 0;
  return isRefused || unwantedEtags.length === 0
    ? { headers, unwantedEtags }
    : { headers: others, unwantedEtags };
}

/** A condition that asks for nothing would mean everybody. */
function demanded(criteria: readonly Parameter[]): readonly Parameter[] {
  if (criteria.length === 0) throw new MpiError("SEARCH_PARAMETERS_UNSUITABLE");
  return criteria;
}
