import { Gauge, type Registry } from "prom-client";

/** @param problems the number that the last check found, by database */
export function registerDamageMetric(
  registry: Registry,
  problems: () => readonly (readonly [database: string, count: number])[],
): void {
  new Gauge({
    name: "petstore_damage_problems",
    help: "Problems that the last check of all contents found in a database.",
    labelNames: ["database"],
    registers: [registry],
    aggregator: "max",
    collect() {
      for (const [database, count] of problems()) this.set({ database }, count);
    },
  });
}
