import { describe, expect, test } from "bun:test";
import { createTestApp } from "../test-app.ts";
import { createDestination } from "./deliveries.ts";
import { startProcess } from "./process.ts";
import { send } from "./send.ts";
import { makeKey } from "./server.ts";
import { freshEmbeddedStore } from "./stores.ts";

// Tests tracing across services: the log contains the caller's trace id, and webhook deliveries pass on the caller's `traceparent`
// header.

const CALLER = "00f067aa0ba902b7";
const newTraceId = () => crypto.randomUUID().replaceAll("-", "");
const parentOf = (traceId: string, flags = "01") => `00-${traceId}-${CALLER}-${flags}`;

describe("the log", () => {
  test("has the caller's trace id only if traceparent is valid, and says which requests were simulated", async () => {
    // The service ignores the environment variables of OpenTelemetry, which are meant for other programs.
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: "collector" };
    const server = await startProcess({ store: await freshEmbeddedStore(), env });
    const key = await makeKey(server.store);
    const traceId = newTraceId();
    const ask = (id: string, traceparent: string) =>
      send("GET", `${server.production}/pets`, { key, headers: { "X-Request-Id": id, traceparent } });
    // The responses after the first may come from the cache, but their log lines must look like the first one's.
    for (const id of ["first", "second", "third"]) await ask(id, parentOf(traceId));
    await ask("invalid", `00-${"0".repeat(32)}-${CALLER}-01`);
    await send("GET", `${server.production}/pets`, {
      headers: { "X-Request-Id": "refused", traceparent: parentOf(traceId, "00") },
    });
    const headers = { "X-Request-Id": "simulated", "Petstore-Simulate": "internal_error" };
    const staging = await makeKey(server.store, { environment: "staging" });
    await send("GET", `${server.staging}/pets`, { key: staging, headers });
    await server.logged('"requestId":"simulated"');
    const lines = [...server.log().matchAll(/^.*"msg":"request".*$/gm)].map(([line]) => JSON.parse(line));
    expect(lines.map((line) => [line.requestId, line.traceId, line.simulated])).toEqual([
      ["first", traceId, undefined],
      ["second", traceId, undefined],
      ["third", traceId, undefined],
      ["invalid", undefined, undefined],
      ["refused", traceId, undefined],
      ["simulated", undefined, true],
    ]);
    await server.stop();
  });
});

test("a delivery has the traceparent of the request that caused it, or none if that is invalid", async () => {
  const destination = createDestination(204);
  const app = await createTestApp(
    {},
    { messagesWebhookUrl: destination.url, messagesWebhookPrivate: "allow", webhooksPrivate: "allow" },
  );
  const { token: key } = await app.makeKey();
  const parent = parentOf(newTraceId());
  const post = (service: "production" | "messages", path: string, body: object, traceparent: string) =>
    app.send(service, `POST ${path}`, { key, body: JSON.stringify(body), headers: { traceparent } });
  await post(
    "production",
    "/v1/webhooks",
    { url: destination.url, types: ["pet.created", "category.updated"] },
    "",
  );
  for (const [name, traceparent] of Object.entries({ traced: parent, untraced: "00-1-2-3" })) {
    await post("production", "/v1/pets", { name, categoryId: 1, status: "available" }, traceparent);
    await post("messages", "/messages", { message: name }, traceparent);
  }
  await post("production", "/v1/categories", { id: 1, name: "Cats" }, "");
  const body = '{"name":"traced"}';
  await app.send("production", "PATCH /v1/categories/1", { key, body, headers: { traceparent: parent } });
  // Advances the clock to the time at which the service next looks for webhook deliveries.
  await app.clock.advance(1_000);
  await destination.received(5);
  const seen = destination.deliveries.map(({ headers, body }) => {
    const { type, data } = JSON.parse(body);
    return [type, data.name ?? data.message, headers.get("traceparent")];
  });
  expect(seen.sort()).toEqual([
    ["category.updated", "traced", parent],
    ["message.submitted", "traced", parent],
    ["message.submitted", "untraced", null],
    ["pet.created", "traced", parent],
    ["pet.created", "untraced", null],
  ]);
  await app.close();
  await destination.stop();
});
