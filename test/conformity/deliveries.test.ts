import { afterAll, expect, test } from "bun:test";
import { createTestApp } from "../test-app.ts";
import { createDestination } from "../wire/deliveries.ts";
import { undocumentedDelivery } from "./conformity.ts";
import { deliveriesOf } from "./document.ts";

// What is delivered is what the served document's `webhooks` describe: header fields, and the body's schema.

const destination = createDestination(204);
afterAll(() => destination.stop());

test("a message that is submitted", async () => {
  const app = await createTestApp({}, { webhookUrl: destination.url, webhookPrivate: "allow" });
  try {
    const { token: key } = await app.makeKey();
    await app.send("messages", "POST /messages", { key, body: '{"message":"Hello"}' });
    await destination.received(1);
    const document = await (await app.send("messages", "GET /openapi.json")).text();
    const [described] = deliveriesOf(document, "messages");
    const [delivery] = destination.deliveries;
    if (described === undefined || delivery === undefined) throw new Error("There is none.");
    expect(undocumentedDelivery(described, delivery)).toBeUndefined();
    expect(described.path).toBe(JSON.parse(delivery.body).type);
  } finally {
    await app.close();
  }
});
