import type { Answer } from "../exchange/answer.ts";
import type { Core } from "../exchange/core.ts";
import type { Interaction } from "../exchange/interaction.ts";
import { openApiDocument } from "../openapi/document.ts";
import { openApiPage, pagePolicy } from "../openapi/page.ts";
import { healthPaths } from "./health.ts";
import { openToAll } from "./security-headers.ts";

/** Where the interface is described, for tools and for people, and the way there of who knows but the address. */
export const documentationPaths = ["/openapi.json", "/docs", "/"] as const;

/** Relative, as a proxy may serve all this below a path of its own. */
const toTheDocs: Answer = { status: 302, headers: { ...openToAll, location: "docs" } };

/** The descriptions of a table of interactions, by path; made once, when the first is asked for. */
export function documentationOf(
  interactions: readonly Interaction[],
): Readonly<Record<(typeof documentationPaths)[number], (core: Core) => Answer>> {
  let made: Readonly<Record<"json" | "page", Answer>> | undefined;
  const descriptions = () => {
    made ??= descriptionsOf(interactions);
    return made;
  };
  return {
    "/openapi.json": () => descriptions().json,
    "/docs": () => descriptions().page,
    "/": () => toTheDocs,
  };
}

function descriptionsOf(interactions: readonly Interaction[]): Readonly<Record<"json" | "page", Answer>> {
  const document = openApiDocument(interactions, Object.keys(healthPaths));
  return {
    json: answer(JSON.stringify(document), { "content-type": "application/json; charset=utf-8" }),
    page: answer(openApiPage(document), {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": pagePolicy(),
    }),
  };
}

function answer(body: string, headers: Readonly<Record<string, string>>): Answer {
  return { status: 200, headers: { ...openToAll, ...headers }, body };
}
