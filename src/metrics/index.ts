export { watchCertificates } from "./certificates.ts";
export { type Measured, type Metrics, observe, openMetrics, together } from "./metrics.ts";
export { type MetricsServer, startMetricsServer } from "./metrics-server.ts";
