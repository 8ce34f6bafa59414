import { afterAll, expect, test } from "bun:test";
import type { ServiceName } from "../../src/context.ts";
import { createTestApp, type TestApp } from "../test-app.ts";
import { until } from "../until.ts";
import { createDestination } from "../wire/deliveries.ts";
import { undocumentedDelivery } from "./conformity.ts";
import { deliveriesOf } from "./document.ts";

// What is delivered is what the served document's `webhooks` describe: header fields, and the body's schema.

const destination = createDestination(204);
afterAll(() => destination.stop());

/** Holds the last delivery against the description of its type in the service's document. */
async function expectDocumented(app: TestApp, service: ServiceName): Promise<void> {
  const document = await (await app.send(service, "GET /openapi.json")).text();
  const delivery = destination.deliveries.at(-1);
  const type = JSON.parse(delivery?.body ?? "{}").type;
  const described = deliveriesOf(document, service).find(({ path }) => path === type);
  if (described === undefined || delivery === undefined) throw new Error("There is none.");
  expect(undocumentedDelivery(described, delivery)).toBeUndefined();
}

test("a message that is submitted", async () => {
  const app = await createTestApp({}, { webhookUrl: destination.url, webhookPrivate: "allow" });
  try {
    const { token: key } = await app.makeKey();
    await app.send("messages", "POST /messages", { key, body: '{"message":"Hello"}' });
    await destination.received(1);
    await expectDocumented(app, "messages");
  } finally {
    await app.close();
  }
});

test("an event, and a test", async () => {
  const app = await createTestApp({}, { webhooksPrivate: "allow" });
  try {
    const { token: key } = await app.makeKey();
    const { url } = destination;
    const before = destination.deliveries.length;
    await app.send("production", "POST /v1/webhooks", { key, body: JSON.stringify({ url }) });
    for (const [request, body] of [
      ["POST /v1/pets", '{"name":"x","categoryId":1}'],
      ["PATCH /v1/pets/1", '{"status":"sold"}'],
      ["POST /v1/webhooks/1/test", undefined],
    ] as const) {
      const expected = destination.deliveries.length + 1;
      await app.send("production", request, { key, ...(body && { body }) });
      await until(async () => {
        await app.clock.advance(1);
        return destination.deliveries.length === expected;
      });
      await expectDocumented(app, "production");
    }
    expect(destination.deliveries.slice(before).map(({ body }) => JSON.parse(body).type)).toEqual([
      "pet.created",
      "pet.updated",
      "webhook.test",
    ]);
  } finally {
    await app.close();
  }
});
