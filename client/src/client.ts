// The typed client, published as `@petstore/client`: one file without dependencies for Node, Bun and browsers.
import { type Categories, categoryMethods } from "./categories.ts";
import { type Messages, messageMethods } from "./messages.ts";
import type { ClientOptions } from "./options.ts";
import { type Orders, orderMethods } from "./orders.ts";
import { type Pets, petMethods } from "./pets.ts";
import { readSettings } from "./settings.ts";

// biome-ignore lint/performance/noBarrelFile: the package's published entry, each name from the file that owns it
export { PetstoreConnectionError, PetstoreError, type UnknownErrorCode } from "./errors.ts";
export type { Int64 } from "./int64.ts";
export type { List } from "./list.ts";
export type { AnswerHead, CallOptions, ClientOptions, Fetch } from "./options.ts";
export type {
  Category,
  ErrorCode,
  Message,
  MessageStatus,
  NewCategory,
  NewMessage,
  NewOrder,
  NewPet,
  Order,
  Paging,
  Pet,
  PetFilter,
  PetPatch,
  PetStatus,
} from "./types.ts";
export type { Categories, Messages, Orders, Pets };

export interface Client {
  readonly pets: Pets;
  readonly categories: Categories;
  readonly orders: Orders;
  readonly messages: Messages;
}

/**
 * Every operation of the service, as a method. Integers are exact; calls that failed in passing are repeated safely.
 *
 * Every method rejects with `PetstoreError` when the service refuses, and with `PetstoreConnectionError` when there is no
 * usable answer.
 *
 * @throws TypeError for options that cannot be meant
 */
export function createClient(options: ClientOptions): Client {
  const settings = readSettings(options);
  return {
    pets: petMethods(settings),
    categories: categoryMethods(settings),
    orders: orderMethods(settings),
    messages: messageMethods(settings),
  };
}
