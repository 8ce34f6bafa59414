import { afterAll, describe, expect, spyOn, test } from "bun:test";
import {
  type Answer,
  createClient,
  type Hooks,
  type Retry,
  type SentRequest,
} from "../../client/src/client.ts";
import { answer, clientOf, KEY, refusal, stopAfterEach } from "./flawed-server.ts";

// Tests the client's hooks (for requests, for responses as they are received, and for retries), and additional request headers.

// Makes the delay before each retry predictable.
const randomness = spyOn(crypto, "getRandomValues").mockImplementation((array) => array);
afterAll(() => randomness.mockRestore());

const newPet = { name: "Fluffy", categoryId: 9007199254740993n };
const body = '{"id":1,"name":"Fluffy","categoryId":9007199254740993}';
const pet = () => answer(201, body, { "Content-Type": "application/json", "X-Request-Id": "r-2" });

stopAfterEach();

/** Hooks that record their arguments. */
function notes() {
  const requests: SentRequest[] = [];
  const answers: Answer[] = [];
  const retries: Retry[] = [];
  const hooks: Hooks = {
    onRequest: (request) => void requests.push(request),
    onAnswer: (received) => void answers.push(received),
    onRetry: (retry) => void retries.push(retry),
  };
  return { requests, answers, retries, hooks };
}

describe("hooks", () => {
  test("see every request, every response as it was received, and every repetition with its error and delay", async () => {
    const { requests, answers, retries, hooks } = notes();
    const unavailable = refusal(503, "unavailable", { "Retry-After": "0", "X-Request-Id": "r-1" });
    const { client, seen, origin } = await clientOf([unavailable, pet()], hooks);
    const address = `${origin}/v1/pets`;
    await client.pets.create(newPet);

    expect(requests).toMatchObject([1, 2].map((attempt) => ({ method: "POST", address, attempt })));
    expect(requests.map((request) => request.body)).toEqual(seen.map((one) => one.body));
    expect(requests[1]?.headers["Idempotency-Key"]).toBe(seen[1]?.headers["idempotency-key"] ?? "");
    expect(answers).toMatchObject([
      { status: 503, requestId: "r-1", request: requests[0] },
      { status: 201, requestId: "r-2", request: requests[1], body },
    ]);
    expect(answers[1]?.headers.get("Content-Type")).toBe("application/json");
    expect(answers.every(({ durationMs }) => durationMs > 0)).toBe(true);
    expect(retries).toEqual([
      { error: expect.anything(), delayMs: 0, request: { method: "POST", address, attempt: 1 } },
    ]);
    expect(retries[0]?.error).toMatchObject({ code: "unavailable", requestId: "r-1" });
  });

  test("never see the key, which the service gets", async () => {
    const { requests, answers, retries, hooks } = notes();
    const { client, seen } = await clientOf(["hang up", pet()], hooks);
    await client.pets.create(newPet);
    expect(Bun.inspect([requests, answers, retries], { depth: 9 })).not.toContain("secret");
    expect(seen.map(({ headers }) => headers["authorization"])).toEqual([`Bearer ${KEY}`, `Bearer ${KEY}`]);
  });

  test("of the client are called before those of the call, even for lists", async () => {
    const called: string[] = [];
    const { client } = await clientOf([answer(200, [])], { onAnswer: () => void called.push("client") });
    await client.pets.list({}, { onAnswer: () => void called.push("call") }).toArray({ limit: 1 });
    expect(called).toEqual(["client", "call"]);
  });

  test("see the connections of a followed stream, and those that fail", async () => {
    const { requests, answers, retries, hooks } = notes();
    const stream = (id: number) =>
      answer(200, `id: ${id}\ndata: {"id":${id},"type":"pet.created"}\n\n`, {
        "Content-Type": "text/event-stream",
      });
    const { client } = await clientOf([stream(1), refusal(503, "unavailable"), stream(2)], hooks);
    for await (const { id } of client.events.follow({ after: 0 })) if (id === 2) break;
    expect(requests.map(({ headers }) => headers["Last-Event-ID"])).toEqual(["0", "1", "1"]);
    expect(answers.map(({ status, body: text }) => [status, text === undefined])).toEqual([
      [200, true],
      [503, false],
      [200, true],
    ]);
    expect(retries).toMatchObject([
      { error: { code: "unavailable" }, request: { method: "GET", attempt: 1 } },
    ]);
  });

  test("end the call with what they throw, before anything is sent", async () => {
    const enough = new Error("enough");
    const stop = () => {
      throw enough;
    };
    const { client, seen } = await clientOf([pet()], { onRequest: stop });
    expect(await client.pets.create(newPet).catch((reason: unknown) => reason)).toBe(enough);
    expect(seen).toEqual([]);
  });
});

describe("headers", () => {
  test("of the client and of the call are sent; the call's replace those of the same name", async () => {
    const headers = { Traceparent: "client", "X-Tenant": "a" };
    const { client, seen } = await clientOf([pet()], { headers });
    await client.pets.create(newPet, { headers: { traceparent: "call" } });
    expect(seen[0]?.headers).toMatchObject({ traceparent: "call", "x-tenant": "a" });
  });

  test("name the client, its version and the runtime, or what the program says instead", async () => {
    const named = await clientOf([pet()]);
    await named.client.pets.create(newPet);
    const { version } = await Bun.file(new URL("../../client/package.json", import.meta.url)).json();
    expect(named.seen[0]?.headers["user-agent"]).toBe(`petstore-client/${version} bun/${Bun.version}`);
    const other = await clientOf([pet()], { headers: { "User-Agent": "shop/1.0" } });
    await other.client.pets.create(newPet);
    expect(other.seen[0]?.headers["user-agent"]).toBe("shop/1.0");
  });

  test("that the client itself sets, or that are malformed, are refused without showing their values, and nothing is sent", async () => {
    const { client, seen } = await clientOf([pet()]);
    for (const [name, value] of [
      ["Authorization", "secret"],
      ["idempotency-key", "secret"],
      ["X-Two\r\nX-Lines", "secret"],
      ["X-Two", "secret\nX-Lines: 1"],
      ["X-Word", "sécret"],
    ] as const) {
      const headers = { [name]: value };
      const error = await client.pets.create(newPet, { headers }).catch((reason: unknown) => reason);
      expect([name, error]).toEqual([name, expect.any(TypeError)]);
      expect(String(error)).not.toContain("cret");
      expect(() => createClient({ key: KEY, headers })).toThrow(TypeError);
    }
    expect(seen).toEqual([]);
  });
});
