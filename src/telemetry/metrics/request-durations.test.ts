import { expect, test } from "bun:test";
import { Histogram, Registry } from "prom-client";
import { createRequestDurations } from "./request-durations.ts";

const NAME = "petstore_request_duration_seconds";

test("the durations of requests read as prom-client's own would, each time they are read", async () => {
  const registry = new Registry();
  const durations = createRequestDurations(registry);
  const own = new Registry();
  const ownDurations = new Histogram({
    name: NAME,
    help: "Time from a request's arrival to its response.",
    labelNames: ["service", "operation"],
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
    registers: [own],
  });
  for (const [service, operation] of [
    ["production", "listPets"],
    ["staging", "none"],
  ] as const) {
    const observe = durations(service, operation);
    const ownObserve = ownDurations.labels(service, operation).observe;
    // The bounds themselves, and one above all of them.
    for (const seconds of [0, 0.0005, 0.00051, 0.2, 0.25, 5, 5.1]) {
      observe(seconds);
      ownObserve(seconds);
    }
    expect(await registry.getSingleMetricAsString(NAME)).toBe(await own.getSingleMetricAsString(NAME));
  }
  expect(await registry.getMetricsAsJSON()).toEqual(await own.getMetricsAsJSON());
});
