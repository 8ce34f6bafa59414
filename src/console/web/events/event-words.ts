import type { EventType } from "../../../event-kinds/event-kinds.ts";

export const TYPE_WORDS: Readonly<Record<EventType, string>> = {
  "pet.created": "Animal added",
  "pet.updated": "Animal changed",
  "pet.deleted": "Animal removed",
  "order.placed": "Order placed",
  "order.completed": "Order completed",
  "order.cancelled": "Order cancelled",
  "category.created": "Category added",
  "category.updated": "Category changed",
  "category.deleted": "Category removed",
};
