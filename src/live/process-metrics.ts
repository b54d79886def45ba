import { collectDefaultMetrics, type Registry } from "prom-client";

/** What Node.js tells of this process. */
export function addProcessMetrics(registry: Registry): void {
  // The default, a hundred measurements a second, would keep the event loop from ever being idle.
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 1000 });
  // With one a second they would tell a second for an idle loop.
  for (const what of ["min", "max", "mean", "stddev", "p50", "p90", "p99"])
    registry.removeSingleMetric(`nodejs_eventloop_lag_${what}_seconds`);
}
