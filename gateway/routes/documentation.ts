import type { Answer } from "../exchange/answer.ts";
import type { Core } from "../exchange/core.ts";
import type { Interaction } from "../exchange/interaction.ts";
import { openApiDocument } from "../openapi/document.ts";
import { openApiPage, pagePolicy } from "../openapi/page.ts";
import { healthPaths } from "./health.ts";
import { openToAll } from "./security-headers.ts";

/** Where the interface is described, for tools and for people. */
export const documentationPaths = ["/openapi.json", "/docs"] as const;

/** The descriptions of a table of interactions, by path; made once. */
export function documentationOf(
  interactions: readonly Interaction[],
): Readonly<Record<(typeof documentationPaths)[number], (core: Core) => Answer>> {
  const document = openApiDocument(interactions, Object.keys(healthPaths));
  const json = answer(JSON.stringify(document), { "content-type": "application/json; charset=utf-8" });
  const page = answer(openApiPage(document), {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": pagePolicy(),
  });
  return { "/openapi.json": () => json, "/docs": () => page };
}

function answer(body: string, headers: Readonly<Record<string, string>>): Answer {
  return { status: 200, headers: { ...openToAll, ...headers }, body };
}
