import { createHash } from "node:crypto";
import type { OpenApiDocument } from "./document.ts";
import { sharedParameters } from "./parameters.ts";
import type { OpenApiOperation, OpenApiParameter } from "./types.ts";

/** A page to read the OpenAPI document by: one file without scripts, that needs nothing from anywhere. */
export function openApiPage({ info, servers, tags, paths }: OpenApiDocument): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const sections = tags.map(({ name }) => ({
    name,
    rows: operations.filter(({ operation }) => operation.tags.includes(name)),
  }));
  const links = sections.map(({ name, rows }) => `<a href="#${name}">${name} <b>${rows.length}</b></a>`);
  const bases = servers.map(({ url, description }) => `<li><code>${url}</code> ${description}</li>`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${info.title}</title>
<style>${STYLE}</style>
</head>
<body>
<header>
<h1>${info.title} <small>${info.version}</small></h1>
<p>${escaped(info.description)}</p>
<p>For tools: <a href="/openapi.json">/openapi.json</a> (OpenAPI 3.1), <a href="/fhir/metadata">/fhir/metadata</a> (CapabilityStatement).</p>
<ul>${bases.join("")}</ul>
<nav>${links.join("")}</nav>
</header>
<main>
${sections.map(({ name, rows }) => section(name, rows)).join("\n")}
</main>
</body>
</html>
`;
}

/** What the page may load: its own style and nothing else. */
export function pagePolicy(): string {
  const hash = createHash("sha256").update(STYLE).digest("base64");
  return `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
}

interface Row {
  readonly path: string;
  readonly method: string;
  readonly operation: OpenApiOperation;
}

function section(name: string, rows: readonly Row[]): string {
  return `<section id="${name}"><h2>${name}</h2>${rows.map(row).join("")}</section>`;
}

function row({ path, method, operation }: Row): string {
  const { operationId, summary, description, parameters = [], requestBody, responses, security } = operation;
  const said = [
    ...(description === undefined ? [] : [`<p>${escaped(description)}</p>`]),
    security.length === 0 ? "<p>Open to everybody.</p>" : "",
    parameterTable(parameters),
    ...(requestBody ? [`<h4>Body</h4><p>${typesOf(requestBody.content)}</p>`] : []),
    "<h4>Answers</h4>",
    `<table>${Object.entries(responses).map(answerRow).join("")}</table>`,
  ];
  return `<details id="${operationId}"><summary><span class="${method}">${method.toUpperCase()}</span> <code>${escaped(path)}</code> ${escaped(summary)}</summary><div>${said.join("")}</div></details>`;
}

function parameterTable(parameters: readonly OpenApiParameter[]): string {
  if (parameters.length === 0) return "";
  const rows = parameters.flatMap((parameter) => {
    const known = "$ref" in parameter ? sharedParameters[parameter.$ref.split("/").at(-1) ?? ""] : parameter;
    if (!known || "$ref" in known) return [];
    const { name, in: place, required, description } = known;
    return [
      `<tr><td><code>${escaped(name)}</code></td><td>${place}${required ? ", required" : ""}</td><td>${escaped(description)}</td></tr>`,
    ];
  });
  return `<h4>Parameters</h4><table>${rows.join("")}</table>`;
}

function answerRow([status, { description, content = {} }]: [string, Responses[string]]): string {
  return `<tr><td><code>${status}</code></td><td>${escaped(description)}</td><td>${typesOf(content)}</td></tr>`;
}

type Responses = OpenApiOperation["responses"];

function typesOf(content: Readonly<Record<string, object>>): string {
  const schemas = Object.values(content).map((one) => (one as { schema?: Shown }).schema);
  const names = schemas.flatMap((schema) => [schema, ...(schema?.anyOf ?? [])]).flatMap(nameOf);
  const types = Object.keys(content).map((type) => `<code>${type}</code>`);
  return [[...new Set(names)].map((name) => `<b>${name}</b>`).join(" or "), ...types].join(" ");
}

/** What is shown of a schema: the name of the one that it points to, or of those. */
interface Shown {
  readonly $ref?: string;
  readonly anyOf?: readonly Shown[];
}

function nameOf(schema: Shown | undefined): string[] {
  return schema?.$ref === undefined ? [] : [schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1)];
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}

const STYLE = `
:root { color-scheme: light dark; --line: light-dark(#d8dde3, #3a424c); --soft: light-dark(#f4f6f8, #1c2229); --text: light-dark(#1b232c, #dfe5ec); --link: light-dark(#0b5cad, #7cb8f5); }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 64rem; padding: 1.5rem; font: 16px/1.5 system-ui, sans-serif; color: var(--text); background: light-dark(#fff, #12171d); }
h1 { margin: 0; } h1 small { font-size: 1rem; font-weight: 400; opacity: .7; } h2 { margin: 2rem 0 .5rem; } h4 { margin: .8rem 0 .2rem; }
a { color: var(--link); } code { font: 0.92em ui-monospace, monospace; overflow-wrap: anywhere; }
nav { display: flex; flex-wrap: wrap; gap: .5rem; } nav a { padding: .2rem .7rem; border: 1px solid var(--line); border-radius: 1rem; text-decoration: none; } nav b { opacity: .6; font-weight: 400; }
details { border: 1px solid var(--line); border-radius: .5rem; margin: .4rem 0; } details > div { padding: 0 1rem 1rem; }
summary { padding: .5rem .8rem; cursor: pointer; border-radius: .5rem; } summary:hover, details[open] > summary { background: var(--soft); }
summary span { display: inline-block; min-width: 4.6rem; text-align: center; font: 600 .8rem/1.7 ui-monospace, monospace; color: #fff; border-radius: .3rem; }
.get { background: #1f6feb; } .post { background: #1a7f37; } .put { background: #9a6700; } .patch { background: #7d4bc9; } .delete { background: #c0272d; }
table { border-collapse: collapse; width: 100%; font-size: .92rem; } td { border-top: 1px solid var(--line); padding: .3rem .6rem .3rem 0; vertical-align: top; } td:first-child { white-space: nowrap; }
`;
