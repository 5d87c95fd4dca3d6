import { X509Certificate } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { parseGatewaySettings } from "../../gateway/settings.ts";
import { parseSettings } from "../../src/config.ts";
import { unknownSettings } from "../../src/settings/unknown-settings.ts";
import { hasOpenssl, selfSigned } from "../certificates.ts";

describe("a setting that cannot be meant stops the start, and is named", () => {
  it.each([
    ["MPI_PUBLIC_URL", "http:mpi.example.ee", "must be an http or https URL"],
    ["MPI_PUBLIC_URL", "https://mpi.example.ee/?a=b", "must have neither query nor fragment"],
    ["MPI_PUBLIC_URL", "https://mpi.example.ee/#top", "must have neither query nor fragment"],
    ["MPI_RR_URL", "https://rr.example.ee/r1?x", "must have neither query nor fragment"],
    ["MPI_ASSUMED_ROLE", "doctr", "must be one of doctor, "],
    ["MPI_TRACES_ENDPOINT", "collector:4318", "must be an http or https URL"],
    ["MPI_TRACES_ENDPOINT", "https://collector/v1/traces?key=1", "must have neither query nor fragment"],
    ["MPI_TRACES_ENDPOINT", "https://mpi:secret@collector", "must have no user and no password"],
    ["MPI_TRACES_ENDPOINT", "https://mpi@collector/v1/traces", "must have no user and no password"],
    ["MPI_RR_URL", "https://mpi:secret@rr.example.ee/r1", "must have no user and no password"],
    ["MPI_JWKS_URL", "https://:secret@tokens.example.ee/jwks", "must have no user and no password"],
    ["MPI_PUBLIC_URL", "https://mpi@mpi.example.ee", "must have no user and no password"],
    ["MPI_TRACES_SAMPLE", "1.5", "must be a number from 0 to 1, such as 0.1"],
    ["MPI_TRACES_SAMPLE", "-0.5", "must be a number from 0 to 1, such as 0.1"],
    ["MPI_TRACES_SAMPLE", "10%", "must be a number from 0 to 1, such as 0.1"],
    ["MPI_TRACES_SAMPLE", "0x1", "must be a number from 0 to 1, such as 0.1"],
    ["MPI_GRPC_PORT", "65536", "must be a whole number from 0 to 65535"],
    ["MPI_WORKERS", "0", "must be a whole number from 1 to 256"],
    ["MPI_WORKERS", "0x2", "must be a whole number from 1 to 256"],
    ["MPI_AUDIT", "no", "must be on or off"],
    ["MPI_TOKEN_ALGORITHMS", ",", "must be some of "],
    ["MPI_TOKEN_ALGORITHMS", "ES256, HS256", "must be one of "],
    ["MPI_XROAD_CLIENT", "mpi", "must be {instance}/{class}/{member}/{subsystem}"],
    ["MPI_XROAD_CLIENT", "EE/GOV/70009770/mpi/x", "must be {instance}/{class}/{member}/{subsystem}"],
    ["MPI_REGISTERS_ADDRESS", "adapters :50052", "must be a gRPC address"],
    ["MPI_REGISTERS_ADDRESS", "adapters", "must be a gRPC address"],
    [
      "DATABASE_URL",
      "postgres://[::1",
      "must be a URL of one host, such as postgres://user:password@host/mpi",
    ],
    [
      "DATABASE_URL",
      "postgres://one,other/mpi",
      "must be a URL of one host, such as postgres://user:password@host/mpi",
    ],
    [
      "MPI_JOBS_DATABASE_URL",
      "mysql://host/mpi",
      "must be a URL of one host, such as postgres://user:password@host/mpi",
    ],
  ])("%s=%s", (name, given, reason) => {
    expect(() => parseSettings({ [name]: given })).toThrow(`${name} ${reason}`);
  });

  it.each([
    ["MPI_CORE_ADDRESS", "core :50051", "must be a gRPC address"],
    ["MPI_CORE_ADDRESS", "core", "must be a gRPC address"],
    ["MPI_CORE_ADDRESS", "::1", "must be a gRPC address"],
    ["MPI_CORE_ADDRESS", "core:500510", "must be a gRPC address"],
    ["MPI_CORE_ADDRESS", "http://core:50051", "must be a gRPC address"],
    ["MPI_PUBLIC_URL", "https://mpi.example.ee/?a=b", "must have neither query nor fragment"],
    ["MPI_CORS_ORIGINS", "ftp://portal.example.ee", "must be origins"],
    ["MPI_CORS_ORIGINS", "https://portal.example.ee/", "must be origins"],
    ["MPI_TRACES_ENDPOINT", "collector", "must be an http or https URL"],
  ])("%s=%s, of a gateway apart", (name, given, reason) => {
    expect(() => parseGatewaySettings({ [name]: given })).toThrow(`${name} ${reason}`);
  });

  it.each([
    "core:50051",
    "10.0.0.7:50051",
    "[::1]:50051",
    "[fe80::1%eth0]:50051",
    "dns:core:50051",
    "dns:///core:50051",
    "dns://10.0.0.53/core.example.ee:50051",
    "ipv4:10.0.0.7:50051",
    "ipv6:[2001:db8::7]:50051",
    "unix:/run/core.sock",
    "unix:///run/core.sock",
  ])("a gRPC address may be %s", (given) => {
    expect(parseGatewaySettings({ MPI_CORE_ADDRESS: given }).coreAddress).toBe(given);
  });

  it.each([
    ["DATABASE_URL", "postgres://mpi:secret@[::1"],
    ["MPI_RR_URL", "https://mpi:secret@rr.example.ee/r1"],
  ])("and no password is repeated: %s", (name, given) => {
    const parse = () => parseSettings({ [name]: given });
    expect(parse).toThrow(expect.objectContaining({ message: expect.not.stringContaining("secret") }));
  });

  it.each([
    ["MPI_GRPC_PORT", "65535", { grpcPort: 65_535 }],
    ["MPI_GRPC_PORT", "0", { grpcPort: 0 }],
    // Left empty in a list of settings, it is not set.
    ["MPI_GRPC_PORT", "", { grpcPort: 50_051 }],
    ["MPI_AUDIT", "false", { audit: false }],
    ["MPI_AUDIT", "off", { audit: false }],
    ["MPI_AUDIT", "true", { audit: true }],
    ["MPI_TRACES_SAMPLE", "0", { tracesSample: 0 }],
    ["MPI_TRACES_SAMPLE", "1", { tracesSample: 1 }],
    ["MPI_TOKEN_ALGORITHMS", "ES256, PS256", { tokenAlgorithms: ["ES256", "PS256"] }],
    ["MPI_CORS_ORIGINS", "*", { corsOrigins: ["*"] }],
    [
      "MPI_CORS_ORIGINS",
      "https://one.example.ee,http://two.example.ee:8080",
      { corsOrigins: ["https://one.example.ee", "http://two.example.ee:8080"] },
    ],
    ["MPI_XROAD_CLIENT", "EE/GOV/70009770", { xRoadClient: "EE/GOV/70009770" }],
    ["MPI_PUBLIC_URL", "https://mpi.example.ee/index/?", { publicUrl: "https://mpi.example.ee/index" }],
  ])("%s may be %j", (name, given, read) => {
    expect(parseSettings({ [name]: given })).toMatchObject(read);
  });

  it("a collector of traces has the path of OTLP, unless it is given another", () => {
    const endpointOf = (given: string) => parseSettings({ MPI_TRACES_ENDPOINT: given }).tracesEndpoint;
    expect(endpointOf("http://collector:4318")).toBe("http://collector:4318/v1/traces");
    expect(endpointOf("http://collector:4318/")).toBe("http://collector:4318/v1/traces");
    expect(endpointOf("https://collector/otlp/v1/traces")).toBe("https://collector/otlp/v1/traces");
    expect(parseSettings({ MPI_TRACES_SAMPLE: ".25" }).tracesSample).toBe(0.25);
  });

  it("an error system may be any URI of the web, with a fragment too", () => {
    const { errorSystems } = parseSettings({ MPI_ERROR_SYSTEM_MPI: "https://example.ee/codes#mpi" });
    expect(errorSystems.MPI).toBe("https://example.ee/codes#mpi");
  });
});

describe.runIf(hasOpenssl)("files of TLS", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "mpi-settings-"));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it("must hold what they are for, and a key must be that of its certificate", async () => {
    const [one, other] = [await selfSigned(folder, "one"), await selfSigned(folder, "other")];
    const broken = join(folder, "broken.crt");
    await writeFile(broken, "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
    const binary = join(folder, "binary.crt");
    await writeFile(binary, new X509Certificate(one.certificate).raw);
    const pair = (certificate: string, key: string) =>
      parseSettings({ MPI_HTTP_TLS_CERTIFICATE: certificate, MPI_HTTP_TLS_KEY: key });
    expect(pair(one.certificateFile, one.keyFile)).toMatchObject({ httpKey: one.key });
    expect(() => pair(one.certificateFile, other.keyFile)).toThrow(
      "MPI_HTTP_TLS_KEY is not the key of MPI_HTTP_TLS_CERTIFICATE.",
    );
    expect(() => pair(one.keyFile, one.keyFile)).toThrow("MPI_HTTP_TLS_CERTIFICATE must be a certificate");
    expect(() => pair(one.certificateFile, one.certificateFile)).toThrow(
      "MPI_HTTP_TLS_KEY must be a private key without a passphrase",
    );
    expect(() =>
      parseSettings({ MPI_GRPC_TLS_CERTIFICATE: one.certificateFile, MPI_GRPC_TLS_KEY: other.keyFile }),
    ).toThrow("MPI_GRPC_TLS_KEY is not the key of MPI_GRPC_TLS_CERTIFICATE.");
    const weak = await selfSigned(folder, "weak", 2, ["rsa:1024"]);
    expect(() => pair(weak.certificateFile, weak.keyFile)).toThrow(
      "TLS does not take MPI_HTTP_TLS_CERTIFICATE with MPI_HTTP_TLS_KEY: ee key too small.",
    );
    for (const file of [broken, binary, one.keyFile]) {
      expect(() => parseSettings({ MPI_GRPC_TLS_CA: file })).toThrow("MPI_GRPC_TLS_CA must be a certificate");
      expect(() => parseSettings({ MPI_XROAD_TLS_CA: file })).toThrow(
        "MPI_XROAD_TLS_CA must be a certificate",
      );
    }
  });

  it("are refused towards security servers as the others are, where registers may be asked", async () => {
    const [one, other] = [await selfSigned(folder, "mpi"), await selfSigned(folder, "another")];
    const certificate = { MPI_XROAD_TLS_CERTIFICATE: one.certificateFile };
    expect(parseSettings({ ...certificate, MPI_XROAD_TLS_KEY: one.keyFile })).toMatchObject({
      xRoadCertificate: one.certificate,
      xRoadKey: one.key,
    });
    expect(() => parseSettings({ ...certificate, MPI_XROAD_TLS_KEY: other.keyFile })).toThrow(
      "MPI_XROAD_TLS_KEY is not the key of MPI_XROAD_TLS_CERTIFICATE.",
    );
    expect(() => parseSettings({ ...certificate, MPI_XROAD_TLS_KEY: `${one.keyFile}.gone` })).toThrow(
      /MPI_XROAD_TLS_KEY must be a file that can be read \(ENOENT\)/,
    );
    expect(() => parseSettings(certificate)).toThrow(
      "MPI_XROAD_TLS_CERTIFICATE and MPI_XROAD_TLS_KEY must be set together.",
    );
    expect(() => parseGatewaySettings(certificate)).not.toThrow();
  });
});

test("names that look like settings and are none are found, whichever program they may be for", () => {
  const environment = { MPI_AUTOR_CHECK: "off", MPI_CALLERMODE: "headers", MPI_AUDIT: "on", PATH: "/bin" };
  expect(unknownSettings(environment)).toEqual(["MPI_AUTOR_CHECK", "MPI_CALLERMODE"]);
  const others = ["MPI_CORE_ADDRESS", "MPI_TOKEN", "MPI_BENCH_DATABASE_URL", "MPI_ERROR_SYSTEM_RR"];
  expect(unknownSettings(Object.fromEntries(others.map((name) => [name, "x"])))).toEqual([]);
});
