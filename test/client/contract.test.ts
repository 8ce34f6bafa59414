import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type * as client from "../../client/src/client.ts";
import { createClient } from "../../client/src/client.ts";
import { eventOperations } from "../../src/api/event-contract.ts";
import { messagesDocument, stagingDocument } from "../../src/api/openapi-documents.ts";
import type { Category } from "../../src/categories/contract.ts";
import { categoryOperations } from "../../src/categories/contract.ts";
import { type DocumentedOperation, type Input, mediaTypesOf } from "../../src/contract/operation.ts";
import type { ErrorCode } from "../../src/errors.ts";
import type { Event } from "../../src/event-kinds/event-kinds.ts";
import { type Key, ownKeyOperations } from "../../src/keys/contract.ts";
import { type Message, type MessageWithAttempts, messageOperations } from "../../src/messages/contract.ts";
import { type Order, orderOperations } from "../../src/orders/contract.ts";
import { type Pet, type PetStatus, petOperations } from "../../src/pets/contract.ts";
import { type Inventory, inventoryOperations } from "../../src/pets/inventory-contract.ts";
import {
  type FixtureName,
  type Reset,
  rehearsalOperations,
  type TestClock,
} from "../../src/rehearsal/contract.ts";
import { clientMethod } from "../../src/site/reference/code-samples.ts";
import { type Webhook, type WebhookWithSecret, webhookOperations } from "../../src/webhooks/contract.ts";
import { type Delivery, deliveryOperations } from "../../src/webhooks/delivery-contract.ts";
import { answer, type FlawedServer, startFlawedServer } from "./flawed-server.ts";

// The client's types are written by scripts/client-types.ts; the compiler compares each with the contract's type.

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
/** A single object type instead of an intersection, because `Equal` would not match the latter. */
type Plain<T> = { [Name in keyof T]: T[Name] };
type BodyOf<O extends DocumentedOperation> = Input<O> extends { readonly body: infer Body } ? Body : never;

type Every<Checks extends readonly true[]> = Checks[number];
type IsSame = Every<
  [
    Equal<client.Int64, Pet["id"]>,
    Equal<client.PetStatus, PetStatus>,
    Equal<Plain<client.Pet>, Plain<Pet>>,
    Equal<Plain<client.NewPet>, Plain<BodyOf<typeof petOperations.createPet>>>,
    Equal<Plain<client.PetPatch>, Plain<BodyOf<typeof petOperations.updatePet>>>,
    Equal<Plain<client.Category>, Plain<Category>>,
    Equal<Plain<client.NewCategory>, Plain<BodyOf<typeof categoryOperations.createCategory>>>,
    Equal<Plain<client.CategoryPatch>, Plain<BodyOf<typeof categoryOperations.updateCategory>>>,
    Equal<Plain<client.Order>, Plain<Order>>,
    Equal<Plain<client.NewOrder>, Plain<BodyOf<typeof orderOperations.placeOrder>>>,
    Equal<Plain<client.Message>, Plain<Message>>,
    Equal<Plain<client.MessageWithAttempts>, Plain<MessageWithAttempts>>,
    Equal<Plain<client.NewMessage>, Plain<BodyOf<typeof messageOperations.submitMessage>>>,
    Equal<client.ErrorCode, ErrorCode>,
    Equal<Plain<client.Event>, Plain<Event>>,
    Equal<client.EventFilter["types"], Input<typeof eventOperations.listEvents>["type"]>,
    Equal<client.EventFilter["order"], Input<typeof eventOperations.listEvents>["order"]>,
    Equal<Plain<client.Webhook>, Plain<Webhook>>,
    Equal<Plain<client.WebhookWithSecret>, Plain<WebhookWithSecret>>,
    Equal<Plain<client.NewWebhook>, Plain<BodyOf<typeof webhookOperations.createWebhook>>>,
    Equal<Plain<client.WebhookPatch>, Plain<BodyOf<typeof webhookOperations.updateWebhook>>>,
    Equal<Plain<client.SecretRotation>, Plain<BodyOf<typeof webhookOperations.rotateWebhookSecret>>>,
    Equal<Plain<client.Delivery>, Plain<Delivery>>,
    Equal<client.DeliveryFilter["status"], Input<typeof deliveryOperations.listDeliveries>["status"]>,
    Equal<Plain<client.Key>, Plain<Key>>,
    Equal<Plain<client.Inventory>, Plain<Inventory>>,
    Equal<Plain<client.TestClock>, Plain<TestClock>>,
    Equal<Plain<client.Reset>, Plain<Reset>>,
    Equal<client.Fixture, FixtureName>,
    Equal<Plain<client.NewTestClock>, Plain<BodyOf<typeof rehearsalOperations.setTestClock>>>,
    Equal<client.PetFilter["status"], Input<typeof petOperations.listPets>["status"]>,
    Equal<client.PetFilter["hasStatus"], Input<typeof petOperations.listPets>["hasStatus"]>,
    Equal<client.PetFilter["categoryId"], Input<typeof petOperations.listPets>["categoryId"]>,
    Equal<client.PetFilter["name"], Input<typeof petOperations.listPets>["name"]>,
    Equal<client.PetFilter["ids"], Input<typeof petOperations.listPets>["id"]>,
    Equal<client.PetFilter["externalIds"], Input<typeof petOperations.listPets>["externalId"]>,
    Equal<client.OrderFilter["petId"], Input<typeof orderOperations.listOrders>["petId"]>,
    Equal<client.OrderFilter["complete"], Input<typeof orderOperations.listOrders>["complete"]>,
    Equal<client.OrderFilter["completedFrom"], Input<typeof orderOperations.listOrders>["completedFrom"]>,
    Equal<client.OrderFilter["completedBefore"], Input<typeof orderOperations.listOrders>["completedBefore"]>,
  ]
>;

const operations: readonly DocumentedOperation[] = [
  petOperations,
  categoryOperations,
  orderOperations,
  inventoryOperations,
  eventOperations,
  webhookOperations,
  deliveryOperations,
  ownKeyOperations,
  messageOperations,
  rehearsalOperations,
].flatMap((group) => Object.values(group));

describe("@petstore/client", () => {
  let server: FlawedServer;
  beforeAll(async () => {
    server = await startFlawedServer(({ method, target }) => {
      if (method === "DELETE") return answer(204, "");
      return answer(200, method === "GET" && !/\/(\d+|msg_\w+|clock|key|inventory)$/.test(target) ? [] : {});
    });
  });
  afterAll(() => server.stop());

  test("its types are those of the contract, which the compiler has checked", () => {
    const isSame: IsSame = true;
    expect(isSame).toBe(true);
  });

  test("has a method for every operation of both documents, by its name, and no other", () => {
    const documented = [stagingDocument, messagesDocument].flatMap((document) =>
      document.operations.map(({ id }) => clientMethod(id)),
    );
    const groups = Object.entries(createClient({ key: "pet_live_x" }));
    const methods = groups.flatMap(([group, verbs]) => Object.keys(verbs).map((verb) => `${group}.${verb}`));
    // A list that can also be streamed has a second method.
    expect(methods.sort()).toEqual([...documented, "events.follow"].sort());
  });

  test("each method requests its own operation: method, path and media type of the contract", async () => {
    const { key, pets, categories, orders, events, webhooks, messages, rehearsal } = createClient({
      key: "pet_live_x",
      baseUrl: `${server.origin}/v1`,
      messagesUrl: server.origin,
    });
    const calls = {
      listPets: () => pets.list(),
      createPet: () => pets.create({ name: "a", categoryId: 1 }),
      getPet: () => pets.get(7),
      updatePet: () => pets.update(7, { name: "b" }),
      deletePet: () => pets.delete(7),
      listCategories: () => categories.list(),
      createCategory: () => categories.create({ name: "a" }),
      getCategory: () => categories.get(7),
      updateCategory: () => categories.update(7, { description: null }),
      deleteCategory: () => categories.delete(7),
      listOrders: () => orders.list(),
      placeOrder: () => orders.place({ petId: 7 }),
      getOrder: () => orders.get(7),
      completeOrder: () => orders.complete(7),
      cancelOrder: () => orders.cancel(7),
      listEvents: () => events.list(),
      listWebhooks: () => webhooks.list(),
      createWebhook: () => webhooks.create({ url: "https://hooks.example.com" }),
      getWebhook: () => webhooks.get(7),
      updateWebhook: () => webhooks.update(7, { status: "enabled" }),
      deleteWebhook: () => webhooks.delete(7),
      rotateWebhookSecret: () => webhooks.rotateSecret(7),
      testWebhook: () => webhooks.test(7),
      listDeliveries: () => webhooks.deliveries(7),
      getDelivery: () => webhooks.delivery(7, 7),
      redeliver: () => webhooks.redeliver(7, 7),
      submitMessage: () => messages.submit({ message: "a" }),
      getMessage: () => messages.get("msg_7"),
      getInventory: () => pets.inventory(),
      getKey: () => key.get(),
      redeliverMessage: () => messages.redeliver("msg_7"),
      getTestClock: () => rehearsal.getClock(),
      setTestClock: () => rehearsal.setClock({ now: "2030-12-05T00:00:00Z" }),
      resetStore: () => rehearsal.reset({ fixture: "shop" }),
    } as const;
    for (const { id, method, path, body, tag } of operations) {
      await calls[id as keyof typeof calls]();
      const base = tag === "Messages" ? "" : "/v1";
      const one = tag === "Messages" ? "msg_7" : "7";
      const seen = server.seen.at(-1);
      expect(`${seen?.method} ${seen?.target}`).toBe(`${method} ${base}${path.replaceAll(/\{\w+\}/g, one)}`);
      expect([id, seen?.headers["content-type"]]).toEqual([id, body && mediaTypesOf(body)[0]]);
      expect([id, seen?.headers["idempotency-key"] !== undefined]).toEqual([id, method === "POST"]);
    }
    expect(server.seen).toHaveLength(operations.length);
  });

  test("writes identifiers and filters digit for digit, and refuses a number that may have been rounded", async () => {
    const client = createClient({ key: "pet_live_x", baseUrl: `${server.origin}/v1` });
    const { pets } = client;
    await pets.update(9007199254740993n, { categoryId: -(2n ** 63n) });
    expect(server.seen.at(-1)).toMatchObject({
      target: "/v1/pets/9007199254740993",
      body: '{"categoryId":-9223372036854775808}',
    });
    await Array.fromAsync(pets.list({ ids: [1, 2n ** 62n], categoryId: 3, status: "sold", limit: 5 }));
    const { searchParams } = new URL(server.seen.at(-1)?.target ?? "", server.origin);
    expect(Object.fromEntries(searchParams)).toEqual({
      id: "1,4611686018427387904",
      categoryId: "3",
      status: "sold",
      limit: "5",
    });
    await client.orders.list({ petId: 2n ** 62n, complete: false });
    expect(server.seen.at(-1)?.target).toBe("/v1/store/orders?petId=4611686018427387904&complete=false");
    const before = server.seen.length;
    await expect(pets.delete(2 ** 53)).rejects.toThrow(TypeError);
    await expect(pets.update(1, { categoryId: 2 ** 53 })).rejects.toThrow(TypeError);
    await expect(Array.fromAsync(pets.list({ ids: [0.5] }))).rejects.toThrow(TypeError);
    expect(server.seen).toHaveLength(before);
  });
});
