import { type Answer, jsonAnswer } from "../../exchange/answer.ts";
import type { FhirRequest } from "../../exchange/fhir-request.ts";
import { isConditionalWrite } from "../../exchange/preconditions.ts";
import type { FhirJson } from "../../fhir/index.ts";
import { failureAnswer } from "../../outcome/failure.ts";
import { answerTo } from "../admission.ts";
import type { BundleEntry } from "./entries.ts";
import { entryRequest, type Route } from "./entry-request.ts";
import { responseEntry } from "./entry-response.ts";

/** Requests of a batch that are under way at a time. */
const AT_A_TIME = 4;

/**
 * Answers a batch: each entry is a request of its own, whatever becomes of the others, and the answers come in the
 * order of the entries (FHIR http.html, 3.2.0.11).
 */
export async function answerBatch(
  request: FhirRequest,
  entries: readonly BundleEntry[],
  routes: readonly Route[],
): Promise<Answer> {
  const responses = await inOrder(entries, (entry) => answerEntry(request, entry, routes));
  return jsonAnswer(request, 200, { resourceType: "Bundle", type: "batch-response", entry: responses });
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
  entry: BundleEntry,
  routes: readonly Route[],
): Promise<FhirJson> {
  try {
    const { interaction, part } = entryRequest(request, entry, routes);
    return responseEntry(await answerTo(request.part(part), interaction), entry.method);
  } catch (error) {
    const { contract, language, setting } = request;
    const reader = { version: contract.version, language, systems: setting.errorSystems };
    return responseEntry(
      failureAnswer(error, { ...reader, ifMatch: isConditionalWrite(entry.conditions) }),
      entry.method,
    );
  }
}
