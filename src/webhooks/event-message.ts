import { writeJson } from "../contract/json/json.ts";
import type { LoggedEvent } from "../events/event.ts";

/** Builds the `webhook-id` and the body of an event's delivery. The body is the event itself, with its time in `timestamp`. */
export function eventMessage({ type, createdAt: timestamp, id, environment, ...event }: LoggedEvent) {
  return { id: `evt_${id}`, body: writeJson({ type, timestamp, id, environment, ...event }) };
}
