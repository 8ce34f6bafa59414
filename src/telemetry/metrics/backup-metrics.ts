import { Counter, Gauge, type Registry } from "prom-client";

/** @returns counts a backup */
export function registerBackupMetrics(
  registry: Registry,
  intervalSeconds: number,
  ageSeconds: () => number,
): (outcome: "made" | "failed") => void {
  const registers = [registry];
  new Gauge({
    name: "petstore_backup_interval_seconds",
    help: "Time between two backups (PETSTORE_BACKUP_EVERY).",
    registers,
    aggregator: "min",
  }).set(intervalSeconds);
  new Gauge({
    name: "petstore_backup_age_seconds",
    help: "Time since the last backup that was read back began; since the start, where there is none.",
    registers,
    aggregator: "min",
    collect() {
      this.set(ageSeconds());
    },
  });
  const backups = new Counter({
    name: "petstore_backups_total",
    help: "Scheduled backups, by outcome.",
    labelNames: ["outcome"],
    registers,
  });
  for (const outcome of ["made", "failed"]) backups.inc({ outcome }, 0);
  return (outcome) => backups.inc({ outcome });
}

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
