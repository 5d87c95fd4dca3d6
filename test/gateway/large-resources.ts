import { expect } from "vitest";
import { trusts } from "../callers.ts";
import { type RunningService, startService } from "../service.ts";
import { type HttpAnswer, type HttpRequest, send } from "./http-client.ts";
import { startGatewayApart } from "./started-gateway.ts";

export type Json = Record<string, unknown>;

/** A service and a gateway apart of it that take larger bodies than usual. */
export interface LargeResources {
  readonly service: RunningService;
  /** Both places that a request may come in at, by their names. */
  readonly origins: { readonly together: string; readonly apart: string };
  fhir(path: string, request?: HttpRequest): Promise<HttpAnswer>;
  /** Stores a resource; its id. */
  stored(resource: Json): Promise<string>;
  stop(): Promise<void>;
}

export async function startForLargeResources(bodyLimit: number): Promise<LargeResources> {
  const service = await startService({ bodyLimit });
  const gateway = await startGatewayApart(`127.0.0.1:${service.grpcPort}`, { bodyLimit, gatherCalls: true });
  trusts(gateway.url, service.sandboxUrl);
  const fhir = (path: string, request?: HttpRequest) => send(`${service.url}/fhir/${path}`, request);
  return {
    service,
    origins: { together: service.url, apart: gateway.url },
    fhir,
    async stored(resource) {
      const body = JSON.stringify(resource);
      return (await fhir(`${resource["resourceType"]}`, { method: "POST", body })).json.id;
    },
    async stop() {
      await gateway.stop();
      await service.stop();
    },
  };
}

/** The resource with remarks of so many characters, each as long as a string may be or shorter. */
export function large(resource: Json, characters: number): Json {
  const LONGEST = 1_000_000;
  const extension = Array.from({ length: Math.ceil(characters / LONGEST) }, (_, n) => ({
    url: `https://example.ee/remark-${n}`,
    valueString: "x".repeat(Math.min(LONGEST, characters - n * LONGEST)),
  }));
  return { ...resource, extension };
}

export function idsIn({ json }: HttpAnswer): string[] {
  return (json.entry ?? []).map(({ resource }: { resource: Json }) => resource["id"]);
}

export function versionsIn({ json }: HttpAnswer): string[] {
  return json.entry.map(
    ({ resource }: { resource: { meta: { versionId: string } } }) => resource.meta.versionId,
  );
}

export function linkOf({ json }: HttpAnswer, relation: string): string | undefined {
  return json.link.find((link: Json) => link["relation"] === relation)?.url;
}

/** The pages of a list, from this one on. */
export async function pagesFrom(url: string, relation = "next"): Promise<HttpAnswer[]> {
  const pages: HttpAnswer[] = [];
  for (let next: string | undefined = url; next !== undefined; ) {
    const page = await send(next);
    expect(page.status).toBe(200);
    pages.push(page);
    next = linkOf(page, relation);
  }
  return pages;
}
