import { expect, test } from "bun:test";
import { AggregatorRegistry, Histogram, Registry } from "prom-client";
import { createMetricsServer } from "../src/server/metrics-server.ts";
import { createPlainHistogram } from "../src/telemetry/metrics/instruments.ts";

async function statusOf(ownHost: string, host: string | undefined): Promise<number> {
  const server = createMetricsServer(ownHost, async () => ({ contentType: "text/plain", text: "up 1" }));
  const headers = new Headers(host === undefined ? {} : { Host: host });
  return (await server.fetch(new Request("http://127.0.0.1/metrics", { headers }))).status;
}

test.each(["localhost:8090", "LOCALHOST", "127.0.0.1:8090", "[::1]:8090", undefined])(
  "the metrics on loopback are served under its names: %p",
  async (host) => expect(await statusOf("127.0.0.1", host)).toBe(200),
);

test.each(["evil.example:8090", "evil", "localhost.evil.example", "127.0.0.1.evil.example", "192.0.2.1", ""])(
  "the metrics on loopback are refused under a name that another site's domain could have: %p",
  async (host) => expect(await statusOf("127.0.0.1", host)).toBe(403),
);

test.each([
  ["0.0.0.0", "192.0.2.1:8090", 200],
  ["0.0.0.0", "petstore:8090", 200],
  ["0.0.0.0", "[2001:db8::1]:8090", 200],
  ["0.0.0.0", "evil.example:8090", 403],
  ["metrics.example", "metrics.example:8090", 200],
  ["metrics.example", "evil.example", 403],
])("opened to a network as %p, under %p: %p", async (ownHost, host, status) =>
  expect(await statusOf(ownHost, host)).toBe(status),
);

test("the refusal says what to do", async () => {
  const server = createMetricsServer("127.0.0.1", () => Promise.reject(new Error("not read")));
  const headers = { Host: "evil.example" };
  const reply = await server.fetch(new Request("http://127.0.0.1/metrics", { headers }));
  expect(await reply.json()).toEqual({
    code: "forbidden",
    message:
      "This host name is not allowed for metrics. Use localhost or the IP address of this machine, or set PETSTORE_METRICS_HOST to this host name.",
    status: 403,
  });
});

test("a plain histogram is served like one of prom-client, even as the sum of several processes", async () => {
  const [plain, usual] = [new Registry(), new Registry()];
  const [name, help, labelNames, buckets] = ["seconds", "Some seconds.", ["service"], [0.1, 1]] as const;
  const observerOf = createPlainHistogram(plain, name, help, labelNames, buckets);
  const histogram = new Histogram({
    ...{ name, help, labelNames, buckets: [...buckets] },
    registers: [usual],
  });
  observerOf({ service: "idle" });
  histogram.zero({ service: "idle" });
  const observe = observerOf({ service: "busy" });
  for (const value of [0, 0.05, 0.1, 0.5, 1, 2, 3]) {
    observe(value);
    histogram.observe({ service: "busy" }, value);
  }
  expect(await plain.metrics()).toBe(await usual.metrics());
  const ofTwo = async (registry: Registry) => {
    const metrics = await registry.getMetricsAsJSON();
    return AggregatorRegistry.aggregate([metrics, metrics]).metrics();
  };
  expect(await ofTwo(plain)).toBe(await ofTwo(usual));
});
