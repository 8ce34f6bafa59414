import type { Int64 } from "exact-json/int64";
import { z } from "zod";
import { categoryEvents } from "../categories/events.ts";
import { enumSchema } from "../contract/schema.ts";
import { orderEvents } from "../orders/events.ts";
import { petEvents } from "../pets/events.ts";

// The kinds of events in the log. Each feature declares its own kinds, so that the log's code does not depend on them.

export const EVENT_TYPES = [...petEvents.types, ...orderEvents.types, ...categoryEvents.types] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** The types of events that are about an animal: events of the animal itself, and of its orders. */
const ANIMAL_EVENT_TYPES: readonly EventType[] = [petEvents, orderEvents, categoryEvents].flatMap(
  ({ animal, types }) => (animal === undefined ? [] : types),
);

export const eventType = enumSchema(EVENT_TYPES, {
  id: "EventType",
  description: "The kind of change.",
});

export const event = z
  .discriminatedUnion("type", [petEvents.schema, orderEvents.schema, categoryEvents.schema])
  .meta({ id: "Event", description: "A committed change." });
export type Event = z.infer<typeof event>;

/** Builds the filter for events of certain types, or about one animal. */
export function filterOf({
  type,
  petId,
}: {
  type?: readonly EventType[] | undefined;
  petId?: Int64 | undefined;
}) {
  return { petId, types: type ?? (petId === undefined ? undefined : ANIMAL_EVENT_TYPES) };
}
