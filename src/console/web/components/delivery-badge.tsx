import type { Delivery } from "../../../webhooks/delivery-contract.ts";

type Status = Delivery["status"];

const STATUS_WORDS: Readonly<Record<Status, string>> = {
  queued: "Queued",
  delivered: "Delivered",
  failed: "Failed",
  dropped: "Dropped",
};

export const STATUS_CHOICES = Object.entries(STATUS_WORDS).map(([value, label]) => ({ value, label }));

/** Status of a message, or of a delivery of an event. */
export function DeliveryBadge({ status }: { readonly status: Status }) {
  return <span class={`badge ${status}`}>{STATUS_WORDS[status]}</span>;
}
