import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type ServerProcess, startProcess } from "./process.ts";
import { send } from "./send.ts";
import { makeKey, onBothEngines } from "./server.ts";
import { freshEmbeddedStore } from "./stores.ts";

// Tracing across services: the trace id is in the log always, spans are exported where an endpoint is set.

// Each test starts several processes.
const CALLER = "00f067aa0ba902b7";
const newTraceId = () => crypto.randomUUID().replaceAll("-", "");
const parentOf = (traceId: string, flags = "01") => `00-${traceId}-${CALLER}-${flags}`;
const listPets = ({ production }: ServerProcess, key: string, traceparent: string, query = "") =>
  send("GET", `${production}/pets${query}`, { key, headers: { traceparent } });

interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { key: string; value: { stringValue?: string; intValue?: string } }[];
  readonly status: { readonly code?: number };
}

/** An OTLP/HTTP receiver; its first responses have the statuses `refusals`. */
function startReceiver(refusals: readonly number[] = []) {
  const spans: ReceivedSpan[] = [];
  const requests: { path: string; authorization: string | null; text: string }[] = [];
  const left = [...refusals];
  const waiting: (() => void)[] = [];
  const server = Bun.serve({
    port: 0,
    async fetch(request) {
      const text = await request.text();
      requests.push({
        path: new URL(request.url).pathname,
        authorization: request.headers.get("authorization"),
        text,
      });
      const refusal = left.shift();
      if (refusal === undefined)
        for (const { scopeSpans } of JSON.parse(text).resourceSpans)
          for (const scope of scopeSpans) spans.push(...scope.spans);
      for (const wake of waiting.splice(0)) wake();
      return Response.json({}, { status: refusal ?? 200 });
    },
  });
  return {
    url: `http://localhost:${server.port}`,
    requests,
    /** The spans of a trace, once there are at least `count`. */
    async trace(traceId: string, count: number): Promise<readonly ReceivedSpan[]> {
      for (;;) {
        const found = spans.filter((span) => span.traceId === traceId);
        if (found.length >= count) return found;
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
    },
    has: (traceId: string) => spans.some((span) => span.traceId === traceId),
    stop: () => server.stop(true),
  };
}

function attribute(span: ReceivedSpan | undefined, name: string): string | undefined {
  const value = span?.attributes.find(({ key }) => key === name)?.value;
  return value?.stringValue ?? value?.intValue;
}

describe("the log", () => {
  test("has the caller's trace id when traceparent is valid, and no other, and says what was simulated", async () => {
    const server = await startProcess({ store: await freshEmbeddedStore() });
    const key = await makeKey(server.store);
    const traceId = newTraceId();
    const ask = (id: string, traceparent: string) =>
      send("GET", `${server.production}/pets`, { key, headers: { "X-Request-Id": id, traceparent } });
    // The second and third response may be cached; the line is the same.
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

onBothEngines(({ startProcess }) => {
  describe("spans, where an OpenTelemetry endpoint is set", () => {
    let receiver: ReturnType<typeof startReceiver>;
    let server: ServerProcess;
    let key: string;
    beforeAll(async () => {
      receiver = startReceiver();
      server = await startProcess({
        env: {
          OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
          OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20collector",
        },
      });
      key = await makeKey(server.store);
    }, 120_000);
    afterAll(async () => {
      await server.stop();
      await receiver.stop();
    });

    test("a create has one for the request, one for the verb and one for its statement, each the child of the one before", async () => {
      const traceId = newTraceId();
      const headers = { traceparent: parentOf(traceId), "X-Request-Id": "the-create" };
      const before = Date.now();
      const body = '{"name":"Canary","categoryId":1}';
      await send("POST", `${server.production}/pets`, { key, headers, body });
      const spans = await receiver.trace(traceId, 3);
      const [request, verb, query] = ["POST /pets", "createPet", "INSERT"].map((name) =>
        spans.find((span) => span.name === name),
      );
      expect(spans).toHaveLength(3);
      expect([request?.parentSpanId, verb?.parentSpanId, query?.parentSpanId]).toEqual([
        CALLER,
        request?.spanId,
        verb?.spanId,
      ]);
      expect([request?.kind, verb?.kind, query?.kind]).toEqual([2, 1, 3]);
      for (const [name, value] of [
        ["http.request.method", "POST"],
        ["http.route", "/pets"],
        ["http.response.status_code", "201"],
        ["petstore.service", "production"],
        ["petstore.request_id", "the-create"],
      ] as const)
        expect([name, attribute(request, name)]).toEqual([name, value]);
      expect(attribute(query, "db.query.text")).toContain("INSERT INTO pet");
      const startedAt = Number(BigInt(request?.startTimeUnixNano ?? 0) / 1_000_000n);
      expect(startedAt).toBeGreaterThanOrEqual(before);
      expect(startedAt).toBeLessThanOrEqual(Date.now());
      expect(BigInt(request?.endTimeUnixNano ?? 0)).toBeGreaterThanOrEqual(
        BigInt(verb?.endTimeUnixNano ?? 0),
      );
    });

    test("a refused request has spans; without traceparent a new trace begins, whose id is in the log", async () => {
      await send("GET", `${server.production}/pets/77`, { key, headers: { "X-Request-Id": "nobody-there" } });
      await server.logged('"requestId":"nobody-there"');
      const [line = "{}"] = /^.*"nobody-there".*$/m.exec(server.log()) ?? [];
      const { traceId } = JSON.parse(line);
      expect(traceId).toMatch(/^[0-9a-f]{32}$/);
      const request = (await receiver.trace(traceId, 3)).find(({ kind }) => kind === 2);
      const status = attribute(request, "http.response.status_code");
      expect([request?.name, request?.parentSpanId, status, request?.status]).toEqual([
        ...["GET /pets/{petId}", undefined, "404", {}],
      ]);
    });

    test("a trace that its caller does not sample has none", async () => {
      const [unsampled, sampled] = [newTraceId(), newTraceId()];
      await listPets(server, key, parentOf(unsampled, "00"));
      await listPets(server, key, parentOf(sampled));
      await receiver.trace(sampled, 1);
      expect(receiver.has(unsampled)).toBe(false);
    });

    test("hold no key, no value and no path from the client, and are sent with the configured address and headers", async () => {
      const traceId = newTraceId();
      await listPets(server, key, parentOf(traceId), "?status=sold");
      await send("GET", `${server.production}/nowhere-in-particular`, { key });
      await send("POST", `${server.production.replace("/v1", "")}/console/api/session`, {
        headers: { Origin: new URL(server.production).origin, traceparent: parentOf(traceId) },
        body: '{"email":"canary@example.com","password":"canary password"}',
      });
      await receiver.trace(traceId, 2);
      const sent = receiver.requests.map(({ text }) => text).join("\n");
      for (const secret of [key, key.slice(9, 40), "Canary", "canary", "nowhere-in-particular", "sold"])
        expect([secret, sent.includes(secret)]).toEqual([secret, false]);
      for (const { path, authorization } of receiver.requests)
        expect([path, authorization]).toEqual(["/v1/traces", "Bearer collector"]);
      expect(sent).toContain('{"key":"service.name","value":{"stringValue":"petstore"}}');
    });
  });
});

describe("an OpenTelemetry endpoint that fails", () => {
  test("gets the same spans again until it accepts them, and delays no request", async () => {
    const receiver = startReceiver([503, 503]);
    const server = await startProcess({
      store: await freshEmbeddedStore(),
      env: { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url },
    });
    const key = await makeKey(server.store);
    const traceId = newTraceId();
    expect((await listPets(server, key, parentOf(traceId))).status).toBe(200);
    expect(await receiver.trace(traceId, 3)).toHaveLength(3);
    expect(receiver.requests).toHaveLength(3);
    // Spans that are queued at the end of the process are sent then.
    const last = newTraceId();
    await listPets(server, key, parentOf(last));
    expect(await server.stop()).toBe(0);
    expect(receiver.has(last)).toBe(true);
    await receiver.stop();
  }, 120_000);

  test("is logged once, without its address and headers", async () => {
    const server = await startProcess({
      store: await freshEmbeddedStore(),
      env: {
        OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9",
        OTEL_EXPORTER_OTLP_HEADERS: "authorization=collector-secret",
      },
    });
    const key = await makeKey(server.store);
    expect((await send("GET", `${server.production}/pets`, { key })).status).toBe(200);
    await server.logged("spans are not delivered");
    expect(await server.stop()).toBe(0);
    expect(server.log().split("spans are not delivered")).toHaveLength(2);
    expect(server.log()).not.toContain("collector-secret");
  });
});
