import { afterAll, beforeAll, expect, test } from "bun:test";
import { createTestApp, type TestApp } from "../test-app.ts";
import { createDestination } from "../wire/deliveries.ts";
import { undocumentedDelivery } from "./conformity.ts";
import { type Described, deliveriesOf } from "./document.ts";

// Webhook deliveries must match `webhooks` in the OpenAPI document, both in their headers and in the schema of the body.

const destination = createDestination(204);
let app: TestApp;
let key: string;
beforeAll(async () => {
  app = await createTestApp(
    {},
    { messagesWebhookUrl: destination.url, messagesWebhookPrivate: "allow", webhooksPrivate: "allow" },
  );
  ({ token: key } = await app.makeKey());
});
afterAll(async () => {
  await app.close();
  await destination.stop();
});

/** Returns the types of deliveries that a webhook in the OpenAPI document describes. */
function typesOf({ body = {}, resolve }: Described): readonly string[] {
  const { enum: types, const: only = "" } = resolve(body).properties?.["type"] ?? {};
  return types ?? [only];
}

/** Sends requests, and expects one webhook delivery of each type that the service's OpenAPI document describes. */
async function expectDescribed(service: "production" | "messages", requests: readonly Shot[]) {
  const described = deliveriesOf(await (await app.send(service, "GET /openapi.json")).text(), service);
  const before = destination.deliveries.length;
  for (const [request, body] of requests) {
    const reply = await app.send(service, request, { key, ...(body === undefined ? {} : { body }) });
    expect([request, reply.ok]).toEqual([request, true]);
  }
  const isComplete = () => {
    const types = destination.deliveries.slice(before).map(({ body }) => JSON.parse(body).type);
    return described.flatMap(typesOf).every((type) => types.includes(type));
  };
  while (!isComplete()) await destination.received(destination.deliveries.length + 1);
  for (const delivery of destination.deliveries.slice(before)) {
    const { type } = JSON.parse(delivery.body);
    const own = described.find((one) => typesOf(one).includes(type));
    if (own === undefined) throw new Error(`${type} is not described.`);
    expect([type, undocumentedDelivery(own, delivery)]).toEqual([type, undefined]);
  }
}

type Shot = readonly [request: string, body?: string];

test("the delivery of a message is as the document describes it", () =>
  expectDescribed("messages", [["POST /messages", '{"message":"Hello"}']]));

test("the delivery of a test and of every type of event is as the document describes it", () =>
  expectDescribed("production", [
    ["POST /v1/webhooks", JSON.stringify({ url: destination.url })],
    ["POST /v1/categories", '{"name":"Cats"}'],
    ["PATCH /v1/categories/1", '{"description":"Purring"}'],
    ["DELETE /v1/categories/1"],
    ["POST /v1/pets", '{"name":"Fluffy","categoryId":9007199254740993}'],
    ["PATCH /v1/pets/1", '{"name":"Rex","status":"available"}'],
    ["POST /v1/store/orders", '{"petId":1}'],
    ["DELETE /v1/store/orders/1"],
    ["POST /v1/store/orders", '{"petId":1}'],
    ["POST /v1/store/orders/2/complete"],
    ["DELETE /v1/pets/1"],
    ["POST /v1/webhooks/1/test"],
  ]));
