import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createSecureServer } from "node:http2";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { xRoadFetch } from "../../src/registers/index.ts";
import { type Certificate, hasOpenssl, issuedBy, selfSigned } from "../certificates.ts";
import { startStandIn } from "./register-stand-in.ts";

describe.runIf(hasOpenssl)("a security server whose certificate somebody else has issued", () => {
  let folder: string;
  let authority: Certificate;
  let own: Certificate;
  let securityServer: Awaited<ReturnType<typeof startStandIn>>;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "mpi-issued-"));
    authority = await selfSigned(folder, "authority");
    own = await issuedBy(authority, folder, "security-server");
    securityServer = await startStandIn({ cert: own.certificate, key: own.key });
  });
  afterAll(async () => {
    await securityServer.stop();
    await rm(folder, { recursive: true });
  });

  async function statusFor(ca: Buffer): Promise<number> {
    const fetchByTls = await xRoadFetch(securityServer.addresses, { ca });
    const answer = await fetchByTls(securityServer.addresses.rr, { method: "POST" });
    await answer.text();
    return answer.status;
  }

  it("is trusted by whoever trusts the issuer", async () => {
    expect(await statusFor(authority.certificate)).toBe(200);
  });

  it("is trusted by whoever has been given its certificate alone, as it exports it", async () => {
    expect(await statusFor(own.certificate)).toBe(200);
  });

  it("is trusted for another certificate of the issuer by nobody who has that alone", async () => {
    const other = await issuedBy(authority, folder, "other");
    await expect(statusFor(other.certificate)).rejects.toMatchObject({
      cause: { code: "UNABLE_TO_GET_ISSUER_CERT_LOCALLY" },
    });
  });
});

it.runIf(hasOpenssl)(
  "a server that speaks HTTP/2 too is asked by HTTP/1.1, with certificates of ours and without",
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "mpi-http2-"));
    const { certificate, key } = await selfSigned(folder, "security-server");
    const server = createSecureServer(
      { cert: certificate, key, allowHTTP1: true },
      ({ httpVersion }, response) => response.end(httpVersion),
    );
    await once(server.listen(0, "127.0.0.1"), "listening");
    const address = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const addresses = { rr: address, ads: address, tor: address, ska: address, tk: address, wm: address };
    const trusted = getCACertificates("default");
    try {
      for (const tls of [{ ca: certificate }, undefined]) {
        setDefaultCACertificates(tls ? trusted : [...trusted, certificate]);
        const fetchByTls = await xRoadFetch(addresses, tls);
        const answer = await fetchByTls(address, { method: "POST" });
        expect(await answer.text()).toBe("1.1");
      }
    } finally {
      setDefaultCACertificates(trusted);
      server.close();
      await rm(folder, { recursive: true });
    }
  },
);
