import type { FastifyInstance } from "fastify";
import { type Metrics, observe } from "../../src/metrics/index.ts";

/** Measures every request when it was answered, by the pattern of its route; never by its URL, which names people. */
export function measureRequests(server: FastifyInstance, metrics: Metrics, inFlight: () => number): void {
  observe(metrics, {
    name: "mpi_http_requests_in_flight",
    help: "Requests that are here now, those that wait for their turn among them; above MPI_MAX_IN_FLIGHT more are told to come back (429).",
    labels: [],
    values: () => [[{}, inFlight()]],
  });
  server.addHook("onResponse", (request, reply, done) => {
    const route = request.routeOptions.url ?? "none";
    const labels = { method: request.method, route, status: String(reply.statusCode) };
    metrics.httpRequests.observe(labels, reply.elapsedTime / 1000);
    done();
  });
}
