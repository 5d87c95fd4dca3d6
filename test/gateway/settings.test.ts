import { expect, test } from "vitest";
import { parseGatewaySettings } from "../../gateway/settings.ts";
import { defaultErrorSystems } from "../../src/errors/index.ts";

test("without any setting a gateway looks for a core on this machine", () => {
  expect(parseGatewaySettings({})).toMatchObject({
    httpHost: "127.0.0.1",
    httpPort: 8080,
    coreAddress: "127.0.0.1:50051",
    publicUrl: undefined,
    defaultLanguage: "et",
    bodyLimit: 1024 * 1024,
    gatherCalls: true,
    corsOrigins: [],
    errorSystems: defaultErrorSystems,
  });
});

test("settings are read, and an empty one counts as unset", () => {
  const settings = parseGatewaySettings({
    MPI_HTTP_PORT: "0",
    MPI_HTTP_HOST: "",
    MPI_CORE_ADDRESS: "dns:///core:50051",
    MPI_GATHER_CALLS: "off",
    MPI_PUBLIC_URL: "https://mpi.example.ee/",
    MPI_ERROR_SYSTEM_RR: "https://rr.example.ee",
  });
  expect(settings).toMatchObject({
    httpHost: "127.0.0.1",
    httpPort: 0,
    coreAddress: "dns:///core:50051",
    gatherCalls: false,
    publicUrl: "https://mpi.example.ee",
    errorSystems: { ...defaultErrorSystems, RR: "https://rr.example.ee" },
  });
});

test("the base of links is written as a header can hold it, whatever characters its host and path are given in", () => {
  const publicUrl = (given: string) => parseGatewaySettings({ MPI_PUBLIC_URL: given }).publicUrl;
  expect(publicUrl("https://mpi.žanr.ee/õis//")).toBe("https://mpi.xn--anr-b3a.ee/%C3%B5is");
  expect(publicUrl("https://mpi.example.ee/mpi/?#")).toBe("https://mpi.example.ee/mpi");
  expect(publicUrl("https://mpi.example.ee\n")).toBe("https://mpi.example.ee");
  expect(publicUrl("https://mpi.example.ee:8443/mpi")).toBe("https://mpi.example.ee:8443/mpi");
});

test("all that is wrong is said at once, by name", () => {
  const wrong = {
    MPI_HTTP_PORT: "80a",
    MPI_GATHER_CALLS: "yes",
    MPI_PUBLIC_URL: "mpi.example.ee",
    MPI_DEFAULT_LANGUAGE: "fr",
    MPI_BODY_LIMIT: "1",
    MPI_ERROR_SYSTEM_MPI: "mpi",
  };
  const said = reasonsOf(() => parseGatewaySettings(wrong));
  expect(said.map((line) => line.split(" must be ")[0]).sort()).toEqual(Object.keys(wrong).sort());
});

function reasonsOf(parse: () => unknown): string[] {
  try {
    parse();
  } catch (error) {
    return (error as Error).message.split("\n");
  }
  return [];
}
