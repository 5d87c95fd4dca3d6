import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { expect, it } from "vitest";
import { printedPort } from "../bench/servers/child.ts";
import { startGatewayAlone } from "./gateway-alone.ts";
import { scraped } from "./scraped.ts";

it("a gateway that runs apart from its core measures its requests, whether or not the core is there", async () => {
  const { gateway, metricsUrl } = await startGatewayAlone();
  try {
    const port = printedPort(gateway, /ready on port (\d+)/);
    expect((await fetch(`http://127.0.0.1:${port}/health/ready`)).status).toBe(503);

    const request = 'method="GET",route="/health/ready",status="503"';
    await expect
      .poll(async () => (await scraped(metricsUrl)).get(`mpi_http_request_seconds_count{${request}}`))
      .toBe(1);
  } finally {
    await gateway.stop();
  }
});

it("a gateway whose port of metrics is taken does not start, and serves nobody", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  try {
    const { port } = other.address() as AddressInfo;
    const started = startGatewayAlone({ MPI_METRICS_PORT: String(port) });
    await expect(started).rejects.toThrow("did not start");
  } finally {
    other.close();
  }
});
