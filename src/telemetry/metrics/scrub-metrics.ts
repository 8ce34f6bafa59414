import { Gauge, type Registry } from "prom-client";

interface Scrub {
  /** Of the last check, by database. */
  readonly problems: () => readonly (readonly [database: string, count: number])[];
  readonly ageSeconds: () => number;
}

export function registerScrubMetrics(registry: Registry, { problems, ageSeconds }: Scrub): void {
  const registers = [registry];
  new Gauge({
    name: "petstore_scrub_problems",
    help: "Problems that the last check of all contents found in a database.",
    labelNames: ["database"],
    registers,
    aggregator: "max",
    collect() {
      for (const [database, count] of problems()) this.set({ database }, count);
    },
  });
  new Gauge({
    name: "petstore_scrub_age_seconds",
    help: "Time since the last check of all contents ended; since the start, where there is none.",
    registers,
    aggregator: "min",
    collect() {
      this.set(ageSeconds());
    },
  });
}
