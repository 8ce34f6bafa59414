import { categoryOperations } from "../categories/contract.ts";
import { insertCategory } from "../categories/store.ts";
import {
  createCategory,
  deleteCategory,
  getCategory,
  listCategories,
  updateCategory,
} from "../categories/verbs.ts";
import type { Page } from "../contract/operation.ts";
import { creation } from "../events/change.ts";
import type { FeedChannel } from "../events/feed-channel.ts";
import { listEvents } from "../events/list-events.ts";
import {
  conditionalEndpoint,
  type Endpoint,
  type Endpoints,
  endpoint,
  endpoints,
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
export const petstoreEndpoints = endpoints(
  { ...petOperations, ...categoryOperations, ...orderOperations, ...eventOperations },
  {
    listPets,
    createPet: insertEndpoint(petOperations.createPet, insertPet, createPet, creation("pet.created")),
    getPet,
    updatePet: conditionalEndpoint(petOperations.updatePet, updatePet, getPet),
    deletePet: conditionalEndpoint(petOperations.deletePet, deletePet, getPet),
    listCategories,
    createCategory: insertEndpoint(
      categoryOperations.createCategory,
      insertCategory,
      createCategory,
      creation("category.created"),
    ),
    getCategory,
    updateCategory: conditionalEndpoint(categoryOperations.updateCategory, updateCategory, getCategory),
    deleteCategory: conditionalEndpoint(categoryOperations.deleteCategory, deleteCategory, getCategory),
    listOrders,
    placeOrder,
    getOrder,
    completeOrder,
    cancelOrder: conditionalEndpoint(orderOperations.cancelOrder, cancelOrder, getOrder),
    // The log's entries, each with the members of its type.
    listEvents: (ctx, input) => listEvents(ctx, input) as Maybe<Page<Event>>,
  },
);

/** `listEvents`, which can also be followed. */
export function followableEvents(channel: FeedChannel): Endpoint<typeof eventOperations.listEvents> {
  return followedEndpoint(petstoreEndpoints.listEvents, ({ type: types, petId }, after) =>
    channel.follow({ types, petId }, after),
  );
}

/** Every operation of the message service. */
export function messagesEndpoints(onSubmitted: () => void): Endpoints<typeof messageOperations> {
  return endpoints(messageOperations, {
    submitMessage: endpoint(messageOperations.submitMessage, submitMessage, {
      transaction: "none",
      onCommitted: onSubmitted,
    }),
    getMessage,
  });
}
