import { describe, expect, test } from "bun:test";
import { getEventListeners } from "node:events";
import {
  type Client,
  createClient,
  etagOf,
  PetstoreConnectionError,
  PetstoreError,
} from "../../client/src/client.ts";
import { ERROR_STATUS } from "../../src/errors.ts";
import { useStore } from "../wire/server.ts";
import { answer, clientOf, failureOf, KEY, refusal, type Seen, stopAfterEach } from "./flawed-server.ts";

// Tests the client on a bad network and behind faulty proxies.

const newPet = { name: "Fluffy", categoryId: 1 };
const pet = { id: 1, ...newPet };

stopAfterEach();

describe("a change whose response was lost", () => {
  const store = useStore();

  /** Creates a client behind a proxy that drops the first response to each change, after the service has made the change. */
  async function unluckyClient(): Promise<{ client: Client; changes: Seen[] }> {
    const changes: Seen[] = [];
    const { client } = await clientOf(
      async (request) => {
        const { method, target, headers, body } = request;
        const { "content-length": _, host: __, ...passed } = headers;
        const response = await fetch(new URL(target, store.production), {
          method,
          headers: passed,
          ...(body !== "" && { body }),
        });
        const text = await response.text();
        const isFirst = method !== "GET" && !changes.some((one) => one.method === method);
        if (method !== "GET") changes.push(request);
        if (isFirst) return "hang up";
        return answer(response.status, text, { "Content-Type": "application/json" });
      },
      { key: store.key },
    );
    return { client, changes };
  }
  const directClient = () => createClient({ key: store.key, baseUrl: store.production });

  test("is made once: the retry gets the recorded response", async () => {
    const { client, changes } = await unluckyClient();
    const created = await client.pets.create({ name: "Once", categoryId: 41 });
    expect(created).toEqual({ id: created.id, name: "Once", categoryId: 41 });
    const all = await Array.fromAsync(client.pets.list({ categoryId: 41 }));
    expect(all).toEqual([created]);
    expect(changes.map(({ headers }) => headers["idempotency-key"])).toEqual([
      expect.stringMatching(/^"[0-9a-f]{32}"$/),
      changes[0]?.headers["idempotency-key"] ?? "",
    ]);
  });

  test("that was a DELETE succeeds when the retry gets 404", async () => {
    const { client, changes } = await unluckyClient();
    const { id } = await directClient().pets.create(newPet);
    expect(await client.pets.delete(id)).toBeUndefined();
    expect(changes).toHaveLength(2);
    expect(await failureOf(client.pets.delete(id))).toMatchObject({ code: "not_found", status: 404 });
  });

  test("of a PATCH is sent again", async () => {
    const { client, changes } = await unluckyClient();
    const { id } = await directClient().pets.create(newPet);
    expect(await client.pets.update(id, { status: "sold" })).toEqual({ id, ...newPet, status: "sold" });
    expect(changes.map(({ method }) => method)).toEqual(["PATCH", "PATCH"]);
  });

  test("with ifMatch is refused when it is sent again, and the error says that it may have been made", async () => {
    const { client, changes } = await unluckyClient();
    const direct = directClient();
    const made = await direct.pets.create(newPet);
    const ifMatch = etagOf(made);
    const error = await failureOf(client.pets.update(made.id, { status: "sold" }, { ifMatch }));
    expect(error).toMatchObject({ code: "precondition_failed", status: 412, outcomeUnknown: true });
    expect(changes.map(({ headers }) => headers["if-match"])).toEqual([ifMatch, ifMatch]);
    const [now] = await Array.fromAsync(direct.pets.list({ ids: [made.id] }));
    expect(now).toEqual({ ...made, status: "sold" });
    expect(await client.pets.delete(made.id, { ifMatch: etagOf(now ?? {}) })).toBeUndefined();
    expect(changes).toHaveLength(4);
  });

  test("is repeated safely after a restart of the program if it has a given idempotencyKey", async () => {
    const once = { idempotencyKey: 'order "7"\\of-today'.replaceAll(" ", "-") };
    const client = directClient();
    const first = await client.pets.create(newPet, once);
    expect(await client.pets.create(newPet, once)).toEqual(first);
    expect(await failureOf(client.pets.create({ ...newPet, name: "Other" }, once))).toMatchObject({
      code: "idempotency_key_reused",
    });
  });
});

describe("an error response", () => {
  test("that is transient is retried: 408, 429, 502, 503, 504, and idempotency_in_progress", async () => {
    for (const reply of [
      refusal(408, "request_timeout"),
      refusal(409, "idempotency_in_progress", { "Retry-After": "0" }),
      refusal(429, "rate_limited", { "Retry-After": "0" }),
      answer(502, "<h1>Bad Gateway</h1>"),
      refusal(503, "unavailable"),
      answer(504, "<h1>Gateway Timeout</h1>"),
    ]) {
      const { client, seen } = await clientOf([reply, answer(201, pet)]);
      expect(await client.pets.create(newPet)).toEqual(pet);
      expect(seen).toHaveLength(2);
    }
  });

  test("of any other kind is not retried", async () => {
    const passing = ["request_timeout", "idempotency_in_progress", "rate_limited", "unavailable"];
    const final = Object.entries(ERROR_STATUS).filter(([code]) => !passing.includes(code));
    for (const [code, status] of final) {
      const { client, seen } = await clientOf([refusal(status, code, { "X-Request-Id": "r-1" })]);
      const error = await failureOf(client.orders.complete(7));
      expect(error).toBeInstanceOf(PetstoreError);
      expect(error).toMatchObject({ code, status, requestId: "r-1", message: `Refused: ${code}.` });
      expect([code, seen.length]).toEqual([code, 1]);
    }
  });

  test("is thrown after the allowed number of retries", async () => {
    const { client, seen } = await clientOf([refusal(503, "unavailable", { "Retry-After": "0" })], {
      retries: 2,
    });
    expect(await failureOf(client.pets.create(newPet))).toMatchObject({ code: "unavailable" });
    expect(seen).toHaveLength(3);
    await failureOf(client.pets.create(newPet, { retries: 0 }));
    expect(seen).toHaveLength(4);
  });

  test("whose Retry-After exceeds timeoutMs is thrown at once", async () => {
    const inAnHour = new Date(Date.parse("2030-01-01T00:00:00Z") + 3_600_000).toUTCString();
    for (const headers of [
      { "Retry-After": "3600" },
      { Date: "Tue, 01 Jan 2030 00:00:00 GMT", "Retry-After": inAnHour },
    ]) {
      const { client, seen } = await clientOf([refusal(429, "rate_limited", headers)]);
      const error = await failureOf(client.pets.create(newPet));
      expect(error).toMatchObject({ code: "rate_limited", retryAfterSeconds: 3600 });
      expect(seen).toHaveLength(1);
    }
  });

  test("after an attempt without a response still has outcomeUnknown", async () => {
    const { client, seen } = await clientOf(["hang up", refusal(401, "unauthorized")]);
    expect(await failureOf(client.orders.place({ petId: 1 }))).toMatchObject({
      code: "unauthorized",
      outcomeUnknown: true,
    });
    expect(seen).toHaveLength(2);
  });
});

describe("no usable response", () => {
  test("names the address that could not be reached; without a connection outcomeUnknown is false", async () => {
    const { client, origin, stop } = await clientOf([], { retries: 1 });
    stop();
    const error = await failureOf(client.pets.create(newPet));
    expect(error).toBeInstanceOf(PetstoreConnectionError);
    expect(error).toMatchObject({ address: `${origin}/v1/pets`, outcomeUnknown: false });
    expect(error.message).toMatch(
      /^POST http:\/\/127\.0\.0\.1:\d+\/v1\/pets could not be reached: \w+ \(2 attempts\)\.$/,
    );
  });

  test("has outcomeUnknown for a change", async () => {
    const lost = await clientOf(["hang up"], { retries: 0 });
    const change = await failureOf(lost.client.pets.create(newPet));
    expect(change).toMatchObject({ name: "PetstoreConnectionError", outcomeUnknown: true });
    expect(change.message).toEndWith(
      ". The change may have been made. Check the store before you repeat the call.",
    );
    expect(await failureOf(lost.client.messages.get("msg_1"))).toMatchObject({ outcomeUnknown: false });
  });

  test("within timeoutMs ends the call", async () => {
    const { client, seen } = await clientOf(["silence"], { timeoutMs: 2_000 });
    const error = await failureOf(client.pets.create(newPet));
    expect(error).toMatchObject({ name: "PetstoreConnectionError", outcomeUnknown: true });
    expect(error.message).toContain("/v1/pets did not answer within 2000 ms (timeoutMs).");
    expect(seen).toHaveLength(1);
  });

  test("is a response that is cut short, or a page of a proxy", async () => {
    const cutShort = answer(200, [pet]).slice(0, -5);
    for (const [reply, words] of [
      [cutShort, "could not be reached"],
      [answer(200, "<h1>Sign in to this network</h1>"), "answered 200 with text/html"],
      [answer(200, { id: 1 }), "answered 200 with application/json, which is not a response from petstore"],
      [answer(403, "<h1>Forbidden</h1>"), "answered 403 with text/html"],
    ] as const) {
      const { client } = await clientOf([reply], { retries: 0 });
      const error = await failureOf(Array.fromAsync(client.pets.list()));
      expect([error.name, error.message]).toEqual([
        "PetstoreConnectionError",
        expect.stringContaining(words),
      ]);
    }
  });
});

describe("a DELETE", () => {
  test("fails when another service's page answers 200", async () => {
    const { client } = await clientOf([answer(200, "<h1>Sign in to this network</h1>")]);
    for (const removal of [() => client.pets.delete(1), () => client.orders.cancel(1)]) {
      const error = await failureOf(removal());
      expect([error.name, error.outcomeUnknown]).toEqual(["PetstoreConnectionError", true]);
      expect(error.message).toContain("answered 200 with text/html, which is not a response from petstore");
    }
  });
});

describe("an aborted signal", () => {
  const enough = new Error("enough");

  test("rejects the call with its reason: before, during and between attempts", async () => {
    const before = await clientOf([answer(201, pet)]);
    await expect(before.client.pets.create(newPet, { signal: AbortSignal.abort(enough) })).rejects.toBe(
      enough,
    );
    expect(before.seen).toHaveLength(0);

    const caller = new AbortController();
    const { client } = await clientOf(() => {
      caller.abort(enough);
      return "silence";
    });
    await expect(client.pets.create(newPet, { signal: caller.signal })).rejects.toBe(enough);

    const another = new AbortController();
    const inAnHour = refusal(503, "unavailable", { "Retry-After": "3600" });
    const between = await clientOf([inAnHour], { timeoutMs: 7_200_000 });
    const onAnswer = () => void setTimeout(() => another.abort(enough));
    const call = between.client.pets.create(newPet, { signal: another.signal, onAnswer });
    await expect(call).rejects.toBe(enough);
    expect(between.seen).toHaveLength(1);
  });

  test("that is never aborted has no listeners left after its calls", async () => {
    const { client } = await clientOf([
      refusal(503, "unavailable"),
      answer(201, pet),
      refusal(404, "not_found"),
    ]);
    const { signal } = new AbortController();
    await client.pets.create(newPet, { signal });
    await failureOf(client.pets.get(1, { signal }));
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  test("ends the iteration of a list", async () => {
    const more = answer(200, [pet], { Link: '</v1/pets?cursor=2>; rel="next"' });
    const { client, seen } = await clientOf([more]);
    for await (const _ of client.pets.list()) break;
    expect(seen).toHaveLength(1);
    const caller = new AbortController();
    const walk = async () => {
      for await (const _ of client.pets.list({}, { signal: caller.signal })) caller.abort(enough);
    };
    await expect(walk()).rejects.toBe(enough);
  });
});

describe("the key", () => {
  test("is sent only to its own origin, not to the origin of a link or a redirect", async () => {
    const elsewhere = await clientOf([answer(200, [])]);
    const links = [
      "hang up",
      answer(200, [pet], { Link: `<${elsewhere.origin}/steal?cursor=2&limit=1>; rel="next"` }),
    ];
    const { client, seen } = await clientOf([...links, answer(200, [{ ...pet, id: 2 }])]);
    const all = await Array.fromAsync(client.pets.list({ limit: 1 }));
    expect(all.map(({ id }) => id)).toEqual([1, 2]);
    expect(seen.map(({ target }) => target)).toEqual([
      "/v1/pets?limit=1",
      "/v1/pets?limit=1",
      "/v1/pets?cursor=2&limit=1",
    ]);
    const moved = await clientOf([answer(307, "", { Location: `${elsewhere.origin}/v1/pets` })]);
    const error = await failureOf(moved.client.pets.create(newPet));
    expect(error.message).toContain(`answered 307 with a redirect to ${elsewhere.origin}/v1/pets`);
    expect(elsewhere.seen).toHaveLength(0);
  });

  test("is not in its own error messages, nor in an inspected client", () => {
    for (const key of ["pet_live_secret\n", " pet_live_secret", "", "pet_live_secret\u{1F436}"]) {
      expect(() => createClient({ key })).toThrow(TypeError);
      expect(() => createClient({ key })).not.toThrow(/secret/);
    }
    expect(Bun.inspect(createClient({ key: KEY }), { depth: 9 })).not.toContain("secret");
  });
});
