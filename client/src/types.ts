// What the interface is about, in plain types: these declarations are published, and need no other package.

import type { Int64 } from "./int64.ts";

export type PetStatus = "available" | "pending" | "sold";

/** An animal to add. Without a `status` the animal has none. */
export interface NewPet {
  name: string;
  /** The category need not exist. */
  categoryId: Int64;
  status?: PetStatus | undefined;
}

/** An animal. `status` is absent when it has none. */
export interface Pet extends NewPet {
  /** Assigned by the service, and never used again. */
  id: Int64;
}

/** Changes to an animal (JSON Merge Patch, RFC 7396): what is left out stays; `status: null` removes the status. */
export interface PetPatch {
  name?: string | undefined;
  categoryId?: Int64 | undefined;
  status?: PetStatus | null | undefined;
}

/** Which animals a list holds; every condition given has to be met. */
export interface PetFilter {
  /** Animals without a status match none. */
  status?: PetStatus | undefined;
  categoryId?: Int64 | undefined;
  /** Only these animals, at most 100 of them; an empty list names none. */
  ids?: readonly Int64[] | undefined;
}

export interface NewCategory {
  name: string;
  description?: string | undefined;
}

/** A category. `description` is absent when it has none. */
export interface Category extends NewCategory {
  id: Int64;
}

export interface NewOrder {
  /** The animal ordered; it has to be `available`. */
  petId: Int64;
  /** 1 when left out. */
  quantity?: Int64 | undefined;
  /** RFC 3339, if it is known. */
  shipDate?: string | null | undefined;
}

/** An order for one animal. */
export interface Order {
  id: Int64;
  petId: Int64;
  quantity: Int64;
  /** RFC 3339 in UTC, to the millisecond; null when not known. */
  shipDate: string | null;
  /** Whether the animal has been handed over. */
  complete: boolean;
}

export interface NewMessage {
  message: string;
}

/** `queued` until it is delivered, or `failed` when every attempt was refused. */
export type MessageStatus = "queued" | "delivered" | "failed";

export interface Message {
  /** Begins with `msg_`. */
  id: string;
  message: string;
  status: MessageStatus;
  /** RFC 3339 in UTC, to the millisecond. */
  createdAt: string;
}

/** How a list is read. */
export interface Paging {
  /** Items in a page: 1 to 100, 20 when left out. It bounds a page, not the list. */
  limit?: number | undefined;
}
