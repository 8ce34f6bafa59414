import { afterAll, describe, expect, spyOn, test } from "bun:test";
import {
  type ClientOptions,
  createClient,
  type Event,
  type FollowOptions,
  PetstoreConnectionError,
} from "../../client/src/client.ts";
import {
  answer,
  clientOf,
  failureOf as failureOfCall,
  KEY,
  type Reply,
  refusal,
  type Seen,
  stopAfterEach,
} from "./flawed-server.ts";

// Tests `client.events.follow` on a bad network and behind faulty proxies. test/wire/follow.long.test.ts tests it with a real
// service.

// Makes the delay before each retry predictable.
const randomness = spyOn(crypto, "getRandomValues").mockImplementation((array) => array);
afterAll(() => randomness.mockRestore());

stopAfterEach();

interface Following {
  readonly events: AsyncIterator<Event>;
  readonly seen: readonly Seen[];
  take(count: number): Promise<Event["id"][]>;
}

/** Follows the events of a test server that sends the given replies in order, and repeats the last one after that. */
async function follow(
  replies: readonly (Reply | (() => Reply))[],
  options: FollowOptions = { after: 0 },
  more: Partial<ClientOptions> = {},
): Promise<Following> {
  const { client, seen } = await clientOf(replies, more);
  const events = client.events.follow(options)[Symbol.asyncIterator]();
  return {
    events,
    seen,
    async take(count) {
      const taken: Event["id"][] = [];
      while (taken.length < count) {
        const { done, value } = await events.next();
        if (done) throw new Error("It ended.");
        taken.push(value.id);
      }
      return taken;
    },
  };
}

/** An event stream that sends this text, and then closes or stays open. */
async function* stream(text: string, then: "close" | "stay" = "close"): AsyncGenerator<string> {
  yield "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\nConnection: close\r\n\r\n";
  yield text;
  if (then === "stay") await new Promise<never>(() => {});
}

const event = (id: number | bigint) => `id: ${id}\ndata: {"id":${id},"type":"pet.created"}\n\n`;
const idsOf = (seen: readonly Seen[]) => seen.map(({ headers }) => headers["last-event-id"]);

const failureOf = ({ events }: Following) => failureOfCall(events.next());

describe("events.follow", () => {
  test("continues after the last event when the connection breaks, with the same filter", async () => {
    const cut = event(9007199254740995n).slice(0, -9);
    const { take, seen } = await follow(
      [
        () => stream(`: hello\n\n${event(9007199254740993n)}${event(9007199254740994n)}${cut}`),
        "hang up",
        () => stream(event(9007199254740995n), "stay"),
      ],
      { after: 9007199254740992n, types: ["pet.created", "pet.deleted"], petId: 2n ** 60n },
    );
    expect(await take(3)).toEqual([9007199254740993n, 9007199254740994n, 9007199254740995n]);
    expect(seen.map(({ method, target }) => `${method} ${decodeURIComponent(target)}`)).toEqual(
      Array.from(
        { length: 3 },
        () => "GET /v1/events?petId=1152921504606846976&type=pet.created,pet.deleted",
      ),
    );
    expect(seen.map(({ headers }) => [headers["accept"], headers["last-event-id"]])).toEqual([
      ["text/event-stream", "9007199254740992"],
      ["text/event-stream", "9007199254740994"],
      ["text/event-stream", "9007199254740994"],
    ]);
  });

  test("begins after the newest event without after, even if the connection breaks before the first event", async () => {
    const newest = answer(200, [{ id: 7, type: "pet.created" }], {
      Link: '</v1/events?cursor=x>; rel="next"',
    });
    const { take, seen } = await follow(
      [newest, () => stream(": hello\n\n"), () => stream(event(8), "stay")],
      { types: ["pet.created"] },
    );
    expect(await take(1)).toEqual([8]);
    expect(seen[0]?.target).toBe("/v1/events?limit=1");
    expect(idsOf(seen)).toEqual([undefined, "7", "7"]);
  });

  test("begins before the first event without after in an empty log", async () => {
    const { take, seen } = await follow([answer(200, []), () => stream(event(1), "stay")], {});
    expect(await take(1)).toEqual([1]);
    expect(idsOf(seen)).toEqual([undefined, "0"]);
  });

  test("begins with the oldest kept event for after: 0", async () => {
    const oldest = answer(200, [{ id: 24, type: "pet.created" }]);
    const { take, seen } = await follow([
      refusal(410, "cursor_expired"),
      oldest,
      () => stream(event(24) + event(25), "stay"),
    ]);
    expect(await take(2)).toEqual([24, 25]);
    expect(seen[1]?.target).toBe("/v1/events?order=asc&limit=1");
    expect(idsOf(seen)).toEqual(["0", undefined, "23"]);
    const empty = await follow(
      [answer(200, []), refusal(410, "cursor_expired"), oldest, () => stream(event(24), "stay")],
      {},
    );
    expect(await empty.take(1)).toEqual([24]);
    const later = await follow([refusal(410, "cursor_expired")], { after: 23 });
    expect(await failureOf(later)).toMatchObject({ code: "cursor_expired" });
  });

  test("waits for the next event if all events were deleted, and looks for it once a second", async () => {
    const expired = refusal(410, "cursor_expired");
    const next = answer(200, [{ id: 24, type: "pet.created" }]);
    const startedAt = performance.now();
    const { take, seen } = await follow([
      ...[expired, answer(200, [])],
      ...[expired, next, () => stream(event(24), "stay")],
    ]);
    expect(await take(1)).toEqual([24]);
    expect(performance.now() - startedAt).toBeGreaterThan(999);
    expect(idsOf(seen)).toEqual(["0", undefined, "0", undefined, "23"]);
  });

  test("advances its position at identifiers without data, so that a rare type never falls behind the deleted events", async () => {
    const { take, seen } = await follow([
      () => stream(`${event(3)}id: 90\n\nid: 4\n\nid\n\n: x\n\n`),
      () => stream(event(91), "stay"),
    ]);
    expect(await take(2)).toEqual([3, 91]);
    expect(idsOf(seen)).toEqual(["0", "90"]);
  });

  test.each([
    [401, "unauthorized"],
    [403, "forbidden"],
    [410, "cursor_expired"],
    [400, "invalid_parameter"],
  ])("%d %s ends it, at the first connection and at a later one", async (status, code) => {
    expect(await failureOf(await follow([refusal(status, code)]))).toMatchObject({ status, code });
    const later = await follow([() => stream(event(1)), refusal(status, code)]);
    expect(await later.take(1)).toEqual([1]);
    expect(await failureOf(later)).toMatchObject({ status, code });
    expect(later.seen).toHaveLength(2);
  });

  test("the first connection is retried as often as any other call, and a lost connection is retried until the service is back", async () => {
    const never = await follow(["hang up"], { after: 0 }, { retries: 1 });
    expect(await failureOf(never)).toBeInstanceOf(PetstoreConnectionError);
    expect(never.seen).toHaveLength(2);
    const restarted = await follow(
      [
        () => stream(event(1)),
        ...["hang up", refusal(500, "internal_error"), refusal(503, "unavailable")],
        () => stream(event(2), "stay"),
      ],
      { after: 0 },
      { retries: 0 },
    );
    expect(await restarted.take(2)).toEqual([1, 2]);
  });

  test("waits for Retry-After, even if a proxy sent it", async () => {
    const busy = answer(503, "<h1>Busy</h1>", { "Retry-After": "1" });
    const { take, seen } = await follow([() => stream(event(1)), busy, () => stream(event(2), "stay")]);
    await take(1);
    const startedAt = performance.now();
    expect(await take(1)).toEqual([2]);
    expect(performance.now() - startedAt).toBeGreaterThan(999);
    expect(seen).toHaveLength(3);
  });

  test("reconnects after 45 seconds without data, the time of three heartbeats", async () => {
    const timers = spyOn(globalThis, "setTimeout");
    const { take } = await follow([() => stream(event(1), "stay")]);
    await take(1);
    expect(timers.mock.calls.map(([, ms]) => ms)).toContain(45_000);
    timers.mockRestore();
  });

  test("ends with the signal's reason, whatever it is waiting for", async () => {
    for (const replies of [
      [() => stream(event(1), "stay")],
      [() => stream(event(1)), answer(503, "", { "Retry-After": "900" })],
    ]) {
      const caller = new AbortController();
      const { take, events, seen } = await follow(replies, { after: 0, signal: caller.signal });
      expect(await take(1)).toEqual([1]);
      const pending = events.next().catch((reason: unknown) => reason);
      while (seen.length < replies.length) await Bun.sleep(1);
      caller.abort(new Error("Enough."));
      expect(String(await pending)).toBe("Error: Enough.");
    }
    const { events, seen } = await follow(["silence"], { signal: AbortSignal.abort() });
    expect(String(await events.next().catch((reason: Error) => reason.name))).toBe("AbortError");
    expect(seen).toEqual([]);
  });

  test("closes its connection when the iteration is left", async () => {
    const closed = Promise.withResolvers<void>();
    const server = Bun.serve({
      port: 0,
      fetch: () =>
        new Response(
          new ReadableStream({
            start: (controller) => controller.enqueue(new TextEncoder().encode(event(1))),
            cancel: () => closed.resolve(),
          }),
          { headers: { "Content-Type": "text/event-stream" } },
        ),
    });
    const { events } = createClient({ key: KEY, baseUrl: `${server.url.origin}/v1` });
    for await (const { id } of events.follow({ after: 0 })) {
      expect(id).toBe(1);
      break;
    }
    await closed.promise;
    await server.stop(true);
  });

  test("stops if the event numbers go back, because the store is another one", async () => {
    const following = await follow([() => stream(event(5)), () => stream(event(5))], { after: 4 });
    expect(await following.take(1)).toEqual([5]);
    expect((await failureOf(following)).message).toContain("sent event 5 after event 5");
  });

  test("refuses a response that is not an event stream, and an event that is not JSON", async () => {
    expect((await failureOf(await follow([answer(200, [])]))).message).toContain(
      "answered 200 with application/json, which is not a response from petstore",
    );
    expect((await failureOf(await follow([() => stream("id: 1\ndata: {\n\n")]))).message).toContain(
      "not JSON",
    );
  });

  test("refuses a number that may have been rounded", async () => {
    const { events, seen } = await follow(["silence"], { after: 2 ** 53 });
    await expect(events.next()).rejects.toThrow(TypeError);
    expect(seen).toEqual([]);
  });
});
