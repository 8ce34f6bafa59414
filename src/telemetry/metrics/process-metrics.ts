import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import packageJson from "../../../package.json" with { type: "json" };
import { LOOP_DELAY_INTERVAL_MS } from "../../limits.ts";

/** What a serving process takes of its machine, under the names that every Prometheus client uses where there are such. */
export function registerProcessMetrics(registry: Registry): { close(): void } {
  const registers = [registry];
  new Gauge({
    name: "petstore_build_info",
    help: "1, with the version of petstore and of the runtime.",
    labelNames: ["version", "runtime"],
    registers,
    aggregator: "max",
  }).set({ version: packageJson.version, runtime: `bun ${Bun.version}` }, 1);
  new Gauge({ name: "petstore_processes", help: "Processes that serve.", registers }).set(1);
  new Gauge({
    name: "process_start_time_seconds",
    help: "When the process that has served longest was started, in seconds since 1970.",
    registers,
    aggregator: "min",
  }).set((performance.timeOrigin || 0) / 1000);
  new Gauge({
    name: "process_resident_memory_bytes",
    help: "Memory that all serving processes have in use.",
    registers,
    collect() {
      this.set(process.memoryUsage.rss());
    },
  });
  new Counter({
    name: "process_cpu_seconds_total",
    help: "Processor time that all serving processes have used.",
    registers,
    collect() {
      const { user, system } = process.cpuUsage();
      this.reset();
      this.inc((user + system) / 1e6);
    },
  });
  return registerLoopDelay(registry);
}

/** How late a timer fires is how long every request had to wait for its turn. */
function registerLoopDelay(registry: Registry): { close(): void } {
  const delays = new Histogram({
    name: "petstore_event_loop_delay_seconds",
    help: "How late timers fired: what kept the process from its requests.",
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
