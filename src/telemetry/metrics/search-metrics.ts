import type { Registry } from "prom-client";
import { createStoreGauge } from "./store-gauge.ts";

type Read = () => Promise<number>;

export function createSearchMetrics(registry: Registry) {
  const readings = new Map<string, Read>();
  createStoreGauge(registry, readings, {
    name: "petstore_search_unindexed_pets",
    help: "Animals whose names' words are not in the index yet, removed ones included: a search looks at each of them.",
    of: (waiting) => waiting,
  });
  return (environment: string, read: Read): void => void readings.set(environment, read);
}
