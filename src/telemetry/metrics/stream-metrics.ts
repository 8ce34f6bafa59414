import { Counter, type Registry } from "prom-client";
import { registerGauge } from "./instruments.ts";

/** Registers the metrics of event streams. @param count number of open streams */
export function registerStreamMetrics(
  registry: Registry,
  ends: readonly string[],
  count: () => number,
): { onSent(events: number): void; onEnd(reason: string): void } {
  const registers = [registry];
  registerGauge(registry, "petstore_event_streams", "Event streams that are open.", count);
  const sent = new Counter({
    name: "petstore_event_stream_events_total",
    help: "Events sent on event streams: one for each stream that an event was sent on.",
    registers,
  });
  const ended = new Counter({
    name: "petstore_event_streams_ended_total",
    help: "Event streams that have ended: the reader left (client) or read nothing (slow), its key or session ended (revoked), the process stops (stopping), a fault (failed).",
    labelNames: ["reason"],
    registers,
  });
  for (const reason of ends) ended.inc({ reason }, 0);
  return {
    onSent: (events) => sent.inc(events),
    onEnd: (reason) => ended.inc({ reason }),
  };
}
