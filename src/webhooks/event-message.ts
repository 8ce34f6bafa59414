import { writeJson } from "../contract/json/json.ts";
import type { LoggedEvent } from "../events/event.ts";

/** `webhook-id` and body of an event's delivery: the event flat, its time as `timestamp`. */
export function eventMessage({ type, createdAt: timestamp, id, environment, ...event }: LoggedEvent) {
  return { id: `evt_${id}`, body: writeJson({ type, timestamp, id, environment, ...event }) };
}
