import { Counter, type Registry } from "prom-client";
import { registerGauge } from "./instruments.ts";

/** Registers the metrics of event streams. @param count returns the number of open streams */
export function registerStreamMetrics(
  registry: Registry,
  ends: readonly string[],
  count: () => number,
): { onSent(events: number): void; onEnd(reason: string): void } {
  const registers = [registry];
  registerGauge(registry, "petstore_event_streams", "Number of open event streams.", count);
  const sent = new Counter({
    name: "petstore_event_stream_events_total",
    help: "Number of events sent on event streams. An event that was sent on three streams counts three times.",
    registers,
  });
  const ended = new Counter({
    name: "petstore_event_streams_ended_total",
    help: "Number of event streams that ended, by reason: the client closed the stream (client) or read too slowly (slow), the key or session ended (revoked), the process stopped (stopping), or an error occurred (failed).",
    labelNames: ["reason"],
    registers,
  });
  for (const reason of ends) ended.inc({ reason }, 0);
  return {
    onSent: (events) => sent.inc(events),
    onEnd: (reason) => ended.inc({ reason }),
  };
}
