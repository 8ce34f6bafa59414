import { categoryOperations } from "../categories/contract.ts";
import {
  createCategory,
  deleteCategory,
  getCategory,
  listCategories,
  updateCategory,
} from "../categories/verbs.ts";
import type { Input, Operation, Page, Result } from "../contract/operation.ts";
import { type Event, filterOf } from "../event-kinds/event-kinds.ts";
import { type CreateContext, createContext } from "../events/change.ts";
import type { FeedChannel } from "../events/feed-channel.ts";
import { listEvents } from "../events/list-events.ts";
import { createEndpoint, type Endpoint, type Endpoints, endpoint, endpoints } from "../http/endpoint.ts";
import { ownKeyOperations } from "../keys/contract.ts";
import { getKey } from "../keys/verbs.ts";
import { messageOperations } from "../messages/contract.ts";
import { getMessage, redeliverMessage, submitMessage } from "../messages/verbs.ts";
import { orderOperations } from "../orders/contract.ts";
import { cancelOrder, completeOrder, getOrder, listOrders, placeOrder } from "../orders/verbs.ts";
import { petOperations } from "../pets/contract.ts";
import type { CountInventory } from "../pets/inventory.ts";
import { inventoryOperations } from "../pets/inventory-contract.ts";
import { createPet, deletePet, getPet, listPets, updatePet } from "../pets/verbs.ts";
import type { Maybe } from "../platform/maybe.ts";
import { rehearsalOperations } from "../rehearsal/contract.ts";
import type { Rehearsal } from "../rehearsal/rehearsal.ts";
import type { ResetOptions } from "../rehearsal/verbs.ts";
import type { Creation, WholeTables } from "../storage/database.ts";
import { webhookOperations } from "../webhooks/contract.ts";
import { getDelivery, listDeliveries, redeliver, testWebhook } from "../webhooks/deliveries.ts";
import { deliveryOperations } from "../webhooks/delivery-contract.ts";
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  rotateWebhookSecret,
  updateWebhook,
  type WebhookRules,
} from "../webhooks/verbs.ts";
import { RESET_PARTS } from "./effects.ts";
import { eventOperations } from "./event-contract.ts";

interface PetstoreOptions {
  readonly channel: FeedChannel;
  readonly webhookRules: WebhookRules;
  /** Staging's test clock and store identifier; undefined in production. */
  readonly rehearsal: Rehearsal | undefined;
  readonly wholeTables: Pick<WholeTables, "empty">;
  readonly inventory: CountInventory;
}

export function petstoreEndpoints(
  options: PetstoreOptions,
): typeof SHOP & Readonly<Record<string, Endpoint>> {
  const { channel, webhookRules, rehearsal, wholeTables, inventory } = options;
  return {
    ...SHOP,
    ...endpoints(inventoryOperations, { getInventory: inventory }),
    listEvents: eventsEndpoint(channel),
    ...webhookEndpoints(webhookRules),
    ...(rehearsal && rehearsalEndpoints({ ...wholeTables, parts: RESET_PARTS })),
  };
}

const SHOP = endpoints(
  { ...petOperations, ...categoryOperations, ...orderOperations },
  {
    listPets,
    createPet: creationEndpoint(petOperations.createPet, createPet),
    getPet,
    updatePet: { verb: updatePet, readCurrent: getPet, commit: "compared" },
    deletePet: { verb: deletePet, readCurrent: getPet },
    listCategories,
    createCategory,
    getCategory,
    updateCategory: { verb: updateCategory, readCurrent: getCategory, commit: "compared" },
    deleteCategory: { verb: deleteCategory, readCurrent: getCategory },
    listOrders,
    placeOrder: { verb: placeOrder, commit: "compared" },
    getOrder,
    completeOrder: { verb: completeOrder, readCurrent: getOrder },
    cancelOrder: { verb: cancelOrder, readCurrent: getOrder },
  },
);

/** The endpoint that describes the API key of the request. The console does not need it, because it uses no API key. */
export const OWN_KEY: Endpoints<typeof ownKeyOperations> = endpoints(ownKeyOperations, { getKey });

/**
 * The endpoint of `listEvents`. Its response schema is the union of the schemas of all event types. Its event stream reads from
 * `channel`.
 */
export function eventsEndpoint(channel: FeedChannel): Endpoint<typeof eventOperations.listEvents> {
  const operation = eventOperations.listEvents;
  return {
    ...endpoint(operation, (ctx, input) => listEvents(ctx, input, filterOf(input)) as Maybe<Page<Event>>),
    follow(input, after) {
      return channel.follow(filterOf(input as Input<typeof operation>), after);
    },
  };
}

export const MESSAGES: Endpoints<typeof messageOperations> = endpoints(messageOperations, {
  submitMessage: { verb: submitMessage, commit: "statement" },
  getMessage,
  redeliverMessage,
});

function webhookEndpoints(rules: WebhookRules) {
  const operations = { ...webhookOperations, ...deliveryOperations };
  return endpoints(operations, {
    listWebhooks,
    createWebhook: (ctx, input) => createWebhook(ctx, input, rules),
    getWebhook,
    updateWebhook: {
      verb: (ctx, input) => updateWebhook(ctx, input, rules),
      readCurrent: getWebhook,
    },
    deleteWebhook: { verb: deleteWebhook, readCurrent: getWebhook },
    rotateWebhookSecret: { verb: rotateWebhookSecret, readCurrent: getWebhook },
    testWebhook,
    listDeliveries,
    getDelivery,
    redeliver,
  });
}

/** Endpoints that exist only in staging. Their code is loaded at the first request, so production never loads it. */
function rehearsalEndpoints(options: ResetOptions) {
  const load = () => import("../rehearsal/verbs.ts");
  // `prepare` loads the code before the transaction begins, because a transaction must not wait for a file to be read.
  return endpoints(rehearsalOperations, {
    getTestClock: async (ctx) => (await load()).getTestClock(ctx),
    setTestClock: {
      verb: async (ctx, input) => (await load()).setTestClock(ctx, input, options),
      prepare: load,
    },
    resetStore: { verb: async (ctx, input) => (await load()).resetStore(ctx, input, options), prepare: load },
  });
}

/**
 * Creates an endpoint that inserts a single row. Its verb (the function that executes the operation) determines this row from the
 * request's input alone.
 */
export function creationEndpoint<O extends Operation>(
  operation: O,
  verb: (ctx: CreateContext, input: Input<O>) => Creation<Result<O>>,
): Endpoint<O> {
  return createEndpoint(operation, {
    run: (ctx, input) => verb(createContext(ctx), input as Input<O>),
    commit: "row",
  });
}
