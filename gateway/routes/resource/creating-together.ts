import type { Answer, StoredResource } from "../../exchange/answer.ts";
import type { FhirRequest } from "../../exchange/fhir-request.ts";
import type { Outcome, Together } from "../../exchange/interaction.ts";
import { jsonBody } from "../../exchange/resource-body.ts";
import type { CreateTogether, StoredType } from "./stored-type.ts";
import { creationAnswer } from "./writing.ts";

/** How new resources of a type are stored by one call of the core; undefined where the core cannot do that. */
export function creatingTogether<Resource extends StoredResource>(
  type: StoredType<Resource>,
): Together | undefined {
  const { createTogether } = type.calls;
  return (
    createTogether && {
      // What depends on a search goes alone.
      fits: ({ headers }) => headers["if-none-exist"] === undefined,
      handle: (requests) => createAll(type, createTogether, requests),
    }
  );
}

async function createAll<Resource extends StoredResource>(
  type: StoredType<Resource>,
  createTogether: CreateTogether<Resource>,
  requests: readonly FhirRequest[],
): Promise<readonly Outcome[]> {
  const given = requests.map((request) => settled(() => type.decode(jsonBody(request), request)));
  const good = given.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  const created = (await createdBy(createTogether, good, requests[0])).values();
  return given.map((one, place) => {
    if (one.status === "rejected") return one;
    return settled(() => answerOf(type, requests[place], created.next().value));
  });
}

/** What became of each; when the call fails, it has failed for every one of them. */
async function createdBy<Resource extends StoredResource>(
  createTogether: CreateTogether<Resource>,
  given: readonly Resource[],
  request: FhirRequest | undefined,
): Promise<readonly (Resource | Error)[]> {
  if (!request || given.length === 0) return [];
  const { gateway, preferences, call } = request;
  try {
    return await createTogether(gateway.core, given, preferences.return !== "representation", call);
  } catch (error) {
    return given.map(() => error as Error);
  }
}

function answerOf<Resource extends StoredResource>(
  type: StoredType<Resource>,
  request: FhirRequest | undefined,
  created: Resource | Error | undefined,
): Answer {
  if (created instanceof Error) throw created;
  if (!request || !created) throw new TypeError("The core did not answer for every resource");
  return creationAnswer(type, request, created);
}

function settled<Value>(work: () => Value): PromiseSettledResult<Value> {
  try {
    return { status: "fulfilled", value: work() };
  } catch (reason) {
    return { status: "rejected", reason };
  }
}
