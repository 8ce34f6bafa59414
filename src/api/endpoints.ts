import { categoryOperations } from "../categories/contract.ts";
import { insertCategory } from "../categories/store.ts";
import {
  createCategory,
  deleteCategory,
  getCategory,
  listCategories,
  updateCategory,
} from "../categories/verbs.ts";
import type { Context } from "../context.ts";
import type { Input, Page } from "../contract/operation.ts";
import { creation } from "../events/change.ts";
import type { FeedChannel } from "../events/feed-channel.ts";
import { listEvents } from "../events/list-events.ts";
import {
  conditionalEndpoint,
  type Endpoint,
  type Endpoints,
  endpoint,
  followedEndpoint,
  insertEndpoint,
} from "../http/endpoint.ts";
import { messageOperations } from "../messages/contract.ts";
import { getMessage, submitMessage } from "../messages/verbs.ts";
import { orderOperations } from "../orders/contract.ts";
import { cancelOrder, completeOrder, getOrder, listOrders, placeOrder } from "../orders/verbs.ts";
import { petOperations } from "../pets/contract.ts";
import { insertPet } from "../pets/store.ts";
import { createPet, deletePet, getPet, listPets, updatePet } from "../pets/verbs.ts";
import type { Maybe } from "../platform/maybe.ts";
import { type Event, eventOperations } from "./event-contract.ts";

/** Every operation of the pet store with the verb that carries it out. */
export const petstoreEndpoints = {
  listPets: endpoint(petOperations.listPets, listPets),
  createPet: insertEndpoint(petOperations.createPet, insertPet, createPet, creation("pet.created")),
  getPet: endpoint(petOperations.getPet, getPet),
  updatePet: conditionalEndpoint(petOperations.updatePet, updatePet, getPet),
  deletePet: conditionalEndpoint(petOperations.deletePet, deletePet, getPet),
  listCategories: endpoint(categoryOperations.listCategories, listCategories),
  createCategory: insertEndpoint(
    categoryOperations.createCategory,
    insertCategory,
    createCategory,
    creation("category.created"),
  ),
  getCategory: endpoint(categoryOperations.getCategory, getCategory),
  updateCategory: conditionalEndpoint(categoryOperations.updateCategory, updateCategory, getCategory),
  deleteCategory: conditionalEndpoint(categoryOperations.deleteCategory, deleteCategory, getCategory),
  listOrders: endpoint(orderOperations.listOrders, listOrders),
  placeOrder: endpoint(orderOperations.placeOrder, placeOrder),
  getOrder: endpoint(orderOperations.getOrder, getOrder),
  completeOrder: endpoint(orderOperations.completeOrder, completeOrder),
  cancelOrder: conditionalEndpoint(orderOperations.cancelOrder, cancelOrder, getOrder),
  listEvents: endpoint(eventOperations.listEvents, listTypedEvents),
} satisfies Endpoints<
  typeof petOperations & typeof categoryOperations & typeof orderOperations & typeof eventOperations
>;

/** The log's entries, each with the members of its type. */
function listTypedEvents(ctx: Context, input: Input<typeof eventOperations.listEvents>) {
  return listEvents(ctx, input) as Maybe<Page<Event>>;
}

/** `listEvents`, which can also be followed. */
export function followableEvents(channel: FeedChannel): Endpoint<typeof eventOperations.listEvents> {
  return followedEndpoint(petstoreEndpoints.listEvents, ({ type: types, petId }, after) =>
    channel.follow({ types, petId }, after),
  );
}

/** Every operation of the message service. */
export function messagesEndpoints(onSubmitted: () => void): Endpoints<typeof messageOperations> {
  return {
    submitMessage: endpoint(messageOperations.submitMessage, submitMessage, {
      transaction: "none",
      onCommitted: onSubmitted,
    }),
    getMessage: endpoint(messageOperations.getMessage, getMessage),
  };
}
