import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import packageJson from "../../../package.json" with { type: "json" };
import { registerGauge } from "./instruments.ts";

const LOOP_DELAY_INTERVAL_MS = 100; // interval at which the event loop's delay is measured

/** Registers the metrics of the process. Metrics that are common in Prometheus client libraries have the usual names. */
export function registerProcessMetrics(registry: Registry): { close(): void } {
  const registers = [registry];
  new Gauge({
    name: "petstore_build_info",
    help: "Always 1. The labels are the versions of petstore and of the runtime.",
    labelNames: ["version", "runtime"],
    registers,
    aggregator: "max",
  }).set({ version: packageJson.version, runtime: `bun ${Bun.version}` }, 1);
  new Gauge({ name: "petstore_processes", help: "Number of serving processes.", registers }).set(1);
  new Gauge({
    name: "process_start_time_seconds",
    help: "Start time of the oldest serving process, in seconds since 1970.",
    registers,
    aggregator: "min",
  }).set((performance.timeOrigin || 0) / 1000);
  const help = "Resident memory of all serving processes.";
  registerGauge(registry, "process_resident_memory_bytes", help, process.memoryUsage.rss);
  new Counter({
    name: "process_cpu_seconds_total",
    help: "CPU time of all serving processes.",
    registers,
    collect() {
      const { user, system } = process.cpuUsage();
      this.reset();
      this.inc((user + system) / 1e6);
    },
  });
  return registerLoopDelay(registry);
}

/**
 * Registers a counter of dropped log lines. @param droppedLines returns the number of lines that were dropped since the process
 * started
 */
export function registerDroppedLines(registry: Registry, droppedLines: () => number): void {
  new Counter({
    name: "petstore_log_lines_dropped_total",
    help: "Number of log lines that were dropped because the program that reads standard output is too slow, or the disk is full.",
    registers: [registry],
    collect() {
      this.reset();
      this.inc(droppedLines());
    },
  });
}

/** Registers a counter of idle connections that were closed. @returns a function that adds a number to the counter */
export function registerIdleClosed(registry: Registry): (count: number) => void {
  const closed = new Counter({
    name: "petstore_idle_connections_closed_total",
    help: "Number of idle connections that were closed because too many were open.",
    registers: [registry],
  });
  return (count) => closed.inc(count);
}

/**
 * Registers a histogram of the event loop's delay, which is measured with a timer. A waiting request is delayed by the same amount
 * of time.
 */
function registerLoopDelay(registry: Registry): { close(): void } {
  const delays = new Histogram({
    name: "petstore_event_loop_delay_seconds",
    help: "Delay of the event loop, measured as how late a timer fires.",
    buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers: [registry],
  });
  let expectedAt = performance.now() + LOOP_DELAY_INTERVAL_MS;
  const timer = setInterval(() => {
    const now = performance.now();
    delays.observe(Math.max(0, now - expectedAt) / 1000);
    expectedAt = now + LOOP_DELAY_INTERVAL_MS;
  }, LOOP_DELAY_INTERVAL_MS);

  return { close: () => clearInterval(timer) };
}
