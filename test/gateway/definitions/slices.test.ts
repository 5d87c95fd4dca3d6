import { describe, expect, it } from "vitest";
import { servedStructures } from "../../../gateway/definitions/index.ts";

interface Element {
  readonly id: string;
  readonly path: string;
  readonly fixedUri?: string;
  readonly slicing?: { readonly discriminator: { readonly type: string }[] };
}

const elements = servedStructures.flatMap(({ json }) => {
  const { differential } = json as unknown as { differential: { element: Element[] } };
  return differential.element;
});

describe("our StructureDefinitions", () => {
  it("fix the URLs of extensions and their parts, by which validators such as HAPI's know a part", () => {
    const urls = elements.filter(({ path }) => /^Extension(\.extension)?\.url$/.test(path));
    expect(urls.map(({ id, fixedUri }) => [id, fixedUri])).toEqual([
      ["Extension.extension:person.url", "person"],
      ["Extension.extension:organization.url", "organization"],
      ["Extension.extension:role.url", "role"],
      ["Extension.extension:reason.url", "reason"],
      ["Extension.extension:register.url", "register"],
      ["Extension.url", "https://fhir.ee/mpi/StructureDefinition/ee-mpi-change-author"],
    ]);
  });

  it("tell slices apart by value: the discriminator pattern is deprecated in R5", () => {
    const types = elements.flatMap(({ slicing }) => slicing?.discriminator.map(({ type }) => type) ?? []);
    expect(new Set(types)).toEqual(new Set(["value"]));
  });
});
