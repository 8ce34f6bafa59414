import type { Event } from "../../../api/event-contract.ts";

/** Duration in which the end of an order also tells that the same person placed it: a sale, or its undo. */
const SALE_MS = 60_000;

/** The events that have a line each: without an order's animal, and without the order of a sale. */
export function toldEvents(events: readonly Event[]): readonly Event[] {
  return events.filter((event) => !events.some((other) => isToldBy(event, other)));
}

function isToldBy(event: Event, order: Event): boolean {
  if (!("petId" in order.data) || order.actor.id !== event.actor.id) return false;
  const age = Date.parse(order.createdAt) - Date.parse(event.createdAt);
  if (event.type === "pet.updated")
    // Of one request: a client may reuse an `X-Request-Id`.
    return event.data.id === order.data.petId && event.requestId === order.requestId && age === 0;
  const isEnd = order.type !== "order.placed" && order.data.id === event.data.id;
  return event.type === "order.placed" && isEnd && age < SALE_MS;
}
