import { WEBHOOKS_MAX } from "../../src/limits.ts";
import type { Described } from "./document.ts";
import type { Shot, Stage } from "./stage.ts";

/**
 * Requests that cause the responses that only one operation has. `provocations.ts` covers the responses that several operations
 * share.
 */
export interface Recipe {
  /** Creates the resources that the operation needs, and returns a request that succeeds. The request can be sent only once. */
  readonly success: (at: Place) => Promise<Shot>;
  /** For each error code, a function that returns a request that the service refuses with this code. */
  readonly refusals?: Readonly<Record<string, (at: Place) => Promise<Shot>>>;
}

/** Access to the service under test, to create resources for a request. */
export interface Place {
  add(path: string, body?: object): Promise<string>;
  /** Returns the path and query of a list's next page, relative to the base address of the API. */
  nextOf(path: string): Promise<string>;
  /** Replaces all events in the event log with two new ones. */
  renewEvents(): Promise<void>;
  change(path: string, patch: object): Promise<void>;
  /** Removes all items of a list except for the newest `count`. */
  trim(path: string, count: number): Promise<void>;
  /** Stores a failed message, which no further attempt will change. Resolves to the message's identifier. */
  addFailedMessage(): Promise<string>;
  /**
   * Resolves once every delivery of a webhook has been attempted. The service makes the next attempts only when the test clock
   * advances.
   */
  tried(webhookId: string): Promise<void>;
}

export function placeAt(stage: Stage, service: Described["service"]): Place {
  async function send(method: string, path: string, body?: object): Promise<string> {
    const shot = { target: path, ...(body && { body: JSON.stringify(body) }) };
    const reply = await stage.send({ service, method }, shot);
    if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.status} ${reply.body}`);
    return reply.body;
  }
  return {
    addFailedMessage: stage.addFailedMessage,
    async nextOf(path) {
      const { headers } = await stage.send({ service, method: "GET" }, { target: path });
      const [, query = ""] = /<[^?]*([^>]*)>; rel="next"/.exec(headers.get("Link") ?? "") ?? [];
      return path.split("?")[0] + query;
    },
    renewEvents: () => stage.renewEvents(service),
    add: async (path, body) => String(JSON.parse(await send("POST", path, body)).id),
    change: async (path, patch) => void (await send("PATCH", path, patch)),
    tried: (webhookId) => stage.tried(service, Number(webhookId)),
    async trim(path, count) {
      const listed: { id: number }[] = JSON.parse(await send("GET", `${path}?limit=100`));
      for (const { id } of listed.slice(count)) await send("DELETE", `${path}/${id}`);
    },
  };
}

const UNKNOWN = "999999999";
const PET = { name: "Rex", categoryId: 1, status: "available" };

const addPet = (at: Place) => at.add("/pets", PET);
const addCategory = (at: Place) => at.add("/categories", { name: "Cats" });
const addOrder = async (at: Place) => at.add("/store/orders", { petId: Number(await addPet(at)) });

async function addCompleteOrder(at: Place): Promise<string> {
  const id = await addOrder(at);
  await at.add(`/store/orders/${id}/complete`);
  return id;
}

async function addOrderedPet(at: Place): Promise<string> {
  const petId = await addPet(at);
  await at.add("/store/orders", { petId: Number(petId) });
  return petId;
}

/** Adds an animal with an `externalId` that contains the animal's number. */
async function addNumberedPet(at: Place): Promise<string> {
  const petId = await addPet(at);
  await at.change(`/pets/${petId}`, { externalId: `A-${petId}` });
  return petId;
}

const WEBHOOK = { url: "https://hooks.example.com/petstore" };
const NEW_WEBHOOK: Shot = { target: "/webhooks", body: JSON.stringify(WEBHOOK) };

/** Adds a webhook. Before that, removes all but the 10 newest webhooks, because their number in an environment is limited. */
async function addWebhook(at: Place): Promise<string> {
  await at.trim("/webhooks", 10);
  return at.add("/webhooks", WEBHOOK);
}

async function addDisabledWebhook(at: Place): Promise<string> {
  const id = await addWebhook(at);
  await at.change(`/webhooks/${id}`, { status: "disabled" });
  return id;
}

async function addTests(at: Place, count: number): Promise<{ webhook: string; delivery: string }> {
  const webhook = await addWebhook(at);
  let delivery = "";
  for (let made = 0; made < count; made++) delivery = await at.add(`/webhooks/${webhook}/test`);
  return { webhook, delivery };
}

/**
 * Creates the requests for an operation that returns a list. The request that succeeds reads a list of at least two pages, and the
 * request that is refused has an invalid cursor.
 */
function listRecipe(path: string, addOne: (at: Place) => Promise<string>): Recipe {
  return {
    async success(at) {
      await addOne(at);
      await addOne(at);
      return { target: `${path}?limit=1` };
    },
    refusals: { invalid_cursor: async () => ({ target: `${path}?cursor=x` }) },
  };
}

/**
 * Creates the requests for an operation on a single resource: one for an existing resource, and one for a resource that does not
 * exist.
 */
function resourceRecipe(
  addOne: (at: Place) => Promise<string>,
  requestFor: (id: string) => Shot,
  refusals: Recipe["refusals"] = {},
): Recipe {
  return {
    success: async (at) => requestFor(await addOne(at)),
    refusals: { not_found: async () => requestFor(UNKNOWN), ...refusals },
  };
}

const changePet = (id: string): Shot => ({ target: `/pets/${id}`, body: '{"status":"sold"}' });
const petAt = (id: string): Shot => ({ target: `/pets/${id}` });
const categoryAt = (id: string): Shot => ({ target: `/categories/${id}` });
const orderAt = (id: string): Shot => ({ target: `/store/orders/${id}` });
const completionOf = (id: string): Shot => ({ target: `/store/orders/${id}/complete` });
const webhookAt = (id: string): Shot => ({ target: `/webhooks/${id}` });
const testOf = (id: string): Shot => ({ target: `/webhooks/${id}/test` });
const deliveryAt = (webhook: string, delivery: string): Shot => ({
  target: `/webhooks/${webhook}/deliveries/${delivery}`,
});
const redeliveryOf = (webhook: string, delivery: string): Shot => ({
  target: `${deliveryAt(webhook, delivery).target}/redeliver`,
});
const redeliveryOfMessage = (id: string): Shot => ({ target: `/messages/${id}/redeliver` });
const orderFor = (petId: string): Shot => ({ target: "/store/orders", body: `{"petId":${petId}}` });

/**
 * The requests for each operation, keyed by operation id. If an OpenAPI document contains an operation that is not in this list,
 * the test fails.
 */
export const RECIPES: Readonly<Record<string, Recipe>> = {
  listPets: listRecipe("/pets", addPet),
  createPet: {
    success: async () => ({ target: "/pets", body: JSON.stringify(PET) }),
    refusals: {
      conflict: async (at) => ({
        target: "/pets",
        body: JSON.stringify({ ...PET, externalId: `A-${await addNumberedPet(at)}` }),
      }),
    },
  },
  getPet: resourceRecipe(addPet, petAt),
  updatePet: resourceRecipe(addPet, changePet, {
    pet_has_open_order: async (at) => changePet(await addOrderedPet(at)),
    conflict: async (at) => ({
      ...petAt(await addPet(at)),
      body: `{"externalId":"A-${await addNumberedPet(at)}"}`,
    }),
  }),
  deletePet: resourceRecipe(addPet, petAt, {
    pet_has_open_order: async (at) => petAt(await addOrderedPet(at)),
  }),
  listCategories: listRecipe("/categories", addCategory),
  getCategory: resourceRecipe(addCategory, categoryAt),
  updateCategory: resourceRecipe(addCategory, (id) => ({ ...categoryAt(id), body: '{"name":"Felines"}' })),
  deleteCategory: resourceRecipe(addCategory, categoryAt, {
    category_in_use: async (at) => {
      const id = await addCategory(at);
      await at.add("/pets", { ...PET, categoryId: Number(id) });
      return categoryAt(id);
    },
  }),
  createCategory: {
    success: async () => ({ target: "/categories", body: '{"name":"Cats"}' }),
    refusals: {
      conflict: async (at) => ({
        target: "/categories",
        body: `{"id":${await at.add("/categories", { name: "Fish" })},"name":"Cats"}`,
      }),
    },
  },
  listOrders: listRecipe("/store/orders", addOrder),
  placeOrder: resourceRecipe(addPet, orderFor, {
    pet_not_available: async (at) => orderFor(await at.add("/pets", { ...PET, status: "sold" })),
  }),
  getOrder: resourceRecipe(addOrder, orderAt),
  completeOrder: resourceRecipe(addOrder, completionOf, {
    order_already_complete: async (at) => completionOf(await addCompleteOrder(at)),
  }),
  cancelOrder: resourceRecipe(addOrder, orderAt, {
    order_already_complete: async (at) => orderAt(await addCompleteOrder(at)),
  }),
  listEvents: {
    async success(at) {
      await addPet(at);
      return { target: "/events?order=asc&limit=1" };
    },
    refusals: {
      invalid_cursor: async () => ({ target: "/events?cursor=x" }),
      async cursor_expired(at) {
        await at.renewEvents();
        const target = await at.nextOf("/events?order=asc&limit=1");
        await at.renewEvents();
        return { target };
      },
    },
  },
  listWebhooks: listRecipe("/webhooks", addWebhook),
  createWebhook: {
    async success(at) {
      await at.trim("/webhooks", 10);
      return NEW_WEBHOOK;
    },
    refusals: {
      async conflict(at) {
        await at.trim("/webhooks", 0);
        for (let count = 0; count < WEBHOOKS_MAX; count++) await at.add("/webhooks", WEBHOOK);
        return NEW_WEBHOOK;
      },
    },
  },
  getWebhook: resourceRecipe(addWebhook, webhookAt),
  updateWebhook: resourceRecipe(addWebhook, (id) => ({
    ...webhookAt(id),
    body: '{"types":["pet.created"]}',
  })),
  deleteWebhook: resourceRecipe(addWebhook, webhookAt),
  rotateWebhookSecret: resourceRecipe(addWebhook, (id) => ({
    target: `/webhooks/${id}/rotate-secret`,
    body: "{}",
  })),
  testWebhook: resourceRecipe(addWebhook, testOf, {
    webhook_disabled: async (at) => testOf(await addDisabledWebhook(at)),
  }),
  listDeliveries: {
    async success(at) {
      const { webhook } = await addTests(at, 2);
      await at.tried(webhook);
      return { target: `/webhooks/${webhook}/deliveries?limit=1` };
    },
    refusals: {
      not_found: async () => ({ target: `/webhooks/${UNKNOWN}/deliveries` }),
      invalid_cursor: async (at) => ({ target: `/webhooks/${await addWebhook(at)}/deliveries?cursor=x` }),
    },
  },
  getDelivery: {
    async success(at) {
      const { webhook, delivery } = await addTests(at, 1);
      await at.tried(webhook);
      return deliveryAt(webhook, delivery);
    },
    refusals: { not_found: async (at) => deliveryAt(await addWebhook(at), UNKNOWN) },
  },
  redeliver: {
    async success(at) {
      const { webhook, delivery } = await addTests(at, 1);
      return redeliveryOf(webhook, delivery);
    },
    refusals: {
      not_found: async (at) => redeliveryOf(await addWebhook(at), UNKNOWN),
      async webhook_disabled(at) {
        const { webhook, delivery } = await addTests(at, 1);
        await at.change(`/webhooks/${webhook}`, { status: "disabled" });
        return redeliveryOf(webhook, delivery);
      },
    },
  },
  getInventory: { success: async () => ({ target: "/store/inventory" }) },
  getKey: { success: async () => ({ target: "/key" }) },
  getTestClock: { success: async () => ({ target: "/test/clock" }) },
  setTestClock: {
    success: async () => ({ target: "/test/clock", body: '{"now":"2027-01-01T00:00:00Z"}' }),
  },
  resetStore: { success: async () => ({ target: "/test/reset", body: '{"fixture":"empty"}' }) },
  submitMessage: { success: async () => ({ target: "/messages", body: '{"message":"x"}' }) },
  getMessage: resourceRecipe(
    (at) => at.addFailedMessage(),
    (id) => ({ target: `/messages/${id}` }),
  ),
  redeliverMessage: resourceRecipe((at) => at.addFailedMessage(), redeliveryOfMessage, {
    conflict: async (at) => redeliveryOfMessage(await at.add("/messages", { message: "x" })),
  }),
};
