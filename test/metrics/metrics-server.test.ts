import { once } from "node:events";
import { connect } from "node:net";
import { networkInterfaces } from "node:os";
import { afterEach, describe, expect, it } from "vitest";
import { type MetricsServer, startMetricsServer } from "../../src/metrics/index.ts";

const TEXT = "mpi_database_up 1\n";
const hasIpv6 = Object.values(networkInterfaces())
  .flat()
  .some((one) => one?.address === "::1");

let server: MetricsServer | undefined;
let lines: unknown[];

afterEach(() => server?.stop());

async function started(text: () => Promise<string> = async () => TEXT, host = "127.0.0.1") {
  lines = [];
  server = await startMetricsServer({ host, port: 0 }, text, {
    warn: (line: object) => void lines.push(line),
  });
  return server;
}

describe("a server of metrics", () => {
  it("answers as Prometheus asks, with a query too, and tells a probe that there is something", async () => {
    const { url } = await started();
    for (const asked of [url, `${url}?name[]=mpi_database_up`]) {
      const answer = await fetch(asked);
      expect(answer.headers.get("content-type")).toContain("text/plain; version=0.0.4");
      expect([answer.status, await answer.text()]).toEqual([200, TEXT]);
    }
    const probed = await fetch(url, { method: "HEAD" });
    expect([probed.status, await probed.text()]).toEqual([200, ""]);
  });

  it("has nothing else, and nothing to be written", async () => {
    const { url } = await started();
    expect((await fetch(new URL("/", url))).status).toBe(404);
    expect((await fetch(`${url}/more`)).status).toBe(404);
    const posted = await fetch(url, { method: "POST" });
    expect([posted.status, posted.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  });

  it("says that it could not tell them, and why in the log alone", async () => {
    const failing = () => Promise.reject(Object.assign(new Error("secret"), { code: "EPIPE" }));
    const { url } = await started(failing);
    const answer = await fetch(url);
    expect([answer.status, await answer.text()]).toEqual([500, ""]);
    expect(lines).toEqual([{ causes: [expect.objectContaining({ code: "EPIPE" })] }]);
  });

  it("waits for nobody who keeps a connection when it stops", async () => {
    const { url, stop } = await started();
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    await once(socket, "connect");
    socket.write("GET /metrics HTTP/1.1\r\nhost: metrics\r\n\r\n");
    await once(socket, "data");
    await Promise.all([once(socket, "close"), stop()]);
    server = undefined;
  });

  it("does not start where somebody else listens", async () => {
    const { url } = await started();
    const port = Number(new URL(url).port);
    const second = startMetricsServer({ host: "127.0.0.1", port }, async () => TEXT, {
      warn: () => undefined,
    });
    await expect(second).rejects.toMatchObject({ code: "EADDRINUSE" });
  });

  it.runIf(hasIpv6)("has a URL that can be asked at an address of IPv6 too", async () => {
    const { url } = await started(undefined, "::1");
    expect(url).toMatch(/^http:\/\/\[::1\]:\d+\/metrics$/);
    expect((await fetch(url)).status).toBe(200);
  });
});
