import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { until } from "../until.ts";
import { PASSWORD, signUp } from "./browser-session.ts";
import { followEvents } from "./event-source.ts";
import { openProduction } from "./events.ts";
import { petstore } from "./process.ts";
import { send } from "./send.ts";
import { makeKey, onBothEngines } from "./server.ts";

onBothEngines(({ startProcess, useStore }) => {
  const server = useStore();
  let database: Awaited<ReturnType<typeof openProduction>>;
  beforeAll(async () => {
    database = await openProduction(server);
  });
  afterAll(() => database.close());

  const follow = (query = "", lastEventId?: string, headers = {}) =>
    followEvents(`${server.production}/events${query}`, { key: server.key, lastEventId, headers });
  const addedBy = (events: readonly { data: { data: { name?: string } } }[]) =>
    events.map(({ data }) => data.data.name);

  describe("an event stream", () => {
    test("sends the events from now on, as the list shows them", async () => {
      await server.pet({ name: "before" });
      const stream = await follow();
      expect([stream.status, stream.headers.get("Content-Type")]).toEqual([200, "text/event-stream"]);
      expect(stream.headers.get("Cache-Control")).toBe("no-store");
      expect(stream.headers.get("X-Accel-Buffering")).toBe("no");
      expect(stream.headers.get("Access-Control-Allow-Origin")).toBe("*");
      expect(stream.headers.get("X-Request-Id")).toMatch(/./);
      const petId = await server.pet({ name: 'tricky\n\ndata: "é"' });
      const [event] = await stream.take(1);
      const listed = await server.get("/events?limit=1");
      expect([event?.data]).toEqual(listed.json);
      expect(event).toMatchObject({ event: "pet.created", data: { data: { id: petId } } });
      expect(event?.id).toBe(String(event?.data.id));
      stream.close();
    });

    test("skips and repeats nothing for readers that connect and disconnect while animals are added", async () => {
      const start = await follow();
      let last = start.lastEventId();
      const expected = new Set<number>();
      const adding = Promise.all(
        Array.from({ length: 4 }, async (_, writer) => {
          for (let count = 0; count < 60; count++)
            expected.add(await server.pet({ name: `w${writer} ${count}` }));
        }),
      );
      const seen: number[] = [];
      const ids: number[] = [];
      for (let round = 0; seen.length < 240; round++) {
        const stream = await follow("", last);
        for (const event of await stream.take(Math.min((round % 7) + 1, 240 - seen.length))) {
          seen.push(event.data.data.id);
          ids.push(event.data.id);
        }
        last = stream.lastEventId();
        stream.close();
      }
      await adding;
      const all = await start.take(240);
      expect(ids).toEqual(ids.toSorted((a, b) => a - b));
      expect(seen).toEqual(all.map(({ data }) => data.data.id));
      expect(new Set(seen)).toEqual(expected);
      start.close();
    });

    test("can be limited to types or to an animal, and its position still moves past all other events", async () => {
      const petId = await server.pet({ name: "followed" });
      const ofPet = await follow(`?petId=${petId}`);
      const orders = await follow("?type=order.placed&type=order.cancelled");
      await server.pet({ name: "another" });
      const orderId = await server.order(petId);
      expect((await ofPet.take(2)).map(({ event }) => event)).toEqual(["order.placed", "pet.updated"]);
      expect((await orders.take(1)).map(({ data }) => data.data.id)).toEqual([orderId]);
      const replayed = await follow(`?petId=${petId}&type=pet.created,order.placed`, "0");
      expect((await replayed.take(2)).map(({ event }) => event)).toEqual(["pet.created", "order.placed"]);
      for (const stream of [ofPet, orders, replayed]) stream.close();
    });

    test("is refused with 400 if it has a list's parameters or an invalid Last-Event-ID", async () => {
      for (const [query, lastEventId, code] of [
        ["?order=asc", undefined, "invalid_parameter"],
        ["?limit=5", undefined, "invalid_parameter"],
        ["?cursor=x", undefined, "invalid_parameter"],
        ["?type=pet.sold", undefined, "invalid_parameter"],
        ["", "x", "invalid_request"],
        ["", "-1", "invalid_request"],
        ["", "01", "invalid_request"],
        ["", "9223372036854775807", "invalid_request"],
        ["", "9223372036854775808", "invalid_request"],
      ] as const) {
        const { status, text } = await follow(query, lastEventId);
        expect([query, lastEventId, status, JSON.parse(await text()).code]).toEqual([
          ...[query, lastEventId, 400, code],
        ]);
      }
      const anonymous = await followEvents(`${server.production}/events`);
      expect(anonymous.status).toBe(401);
    });

    test("is sent only to a request that asks for it", async () => {
      for (const accept of ["*/*", "application/json, text/event-stream;q=0.5"]) {
        const reply = await server.get("/events", { Accept: accept });
        expect(reply.headers.get("Content-Type")).toBe("application/json");
      }
      for (let time = 0; time < 3; time++) {
        const stream = await follow();
        expect(stream.headers.get("Content-Type")).toBe("text/event-stream");
        stream.close();
        expect((await server.get("/events")).headers.get("ETag")).toMatch(/./);
      }
      const headers = { Accept: "text/event-stream" };
      const head = await server.send("HEAD /events", { headers });
      expect([head.status, head.headers.get("Content-Type"), head.body]).toEqual([
        ...[200, "text/event-stream", ""],
      ]);
      expect(head.headers.get("Content-Length")).toBeNull();
      const malformed = await server.send("HEAD /events", { headers: { ...headers, "Last-Event-ID": "x" } });
      expect(malformed.status).toBe(400);
    });

    test("ends when its key is revoked", async () => {
      const other = await makeKey(server.store);
      const streams = await Promise.all(
        [server.key, other, other].map((one) => followEvents(`${server.production}/events`, { key: one })),
      );
      const { out } = await petstore(server.store, ["keys", "list", "--json"]);
      // The list of API keys begins with the newest.
      expect((await petstore(server.store, ["keys", "revoke", JSON.parse(out)[0].id])).code).toBe(0);
      expect(await Promise.all(streams.slice(1).map((stream) => stream.next()))).toEqual([
        undefined,
        undefined,
      ]);
      await server.pet({ name: "for the other key" });
      expect(addedBy((await streams[0]?.take(1)) ?? [])).toEqual(["for the other key"]);
      streams[0]?.close();
    });

    test("in the console has persons' addresses, and ends with the session", async () => {
      const ada = await signUp(server, "ada@example.com");
      const address = `${new URL(server.production).origin}/console/api/events`;
      const headers = { Cookie: ada.cookie() ?? "" };
      const stream = await followEvents(address, { headers });
      expect(stream.status).toBe(200);
      const outside = await follow();
      await ada.call("POST /pets", { name: "by ada", categoryId: 1 });
      expect((await stream.take(1))[0]?.data.actor.name).toBe("ada@example.com");
      const [shown] = await outside.take(1);
      expect([shown?.data.actor.kind, shown?.data.actor.name]).toEqual(["person", ""]);
      const again = await followEvents(address, { headers, lastEventId: String(Number(shown?.id) - 1) });
      expect((await again.take(1))[0]?.data.actor.name).toBe("ada@example.com");
      const page = await fetch(address, { headers: { ...headers, Accept: "text/event-stream" } });
      expect(await firstChunk(page)).toBe(`event: heartbeat\ndata:\nid: ${shown?.id}\n\n`);
      const program = await fetch(`${server.production}/events`, {
        headers: { Authorization: `Bearer ${server.key}`, Accept: "text/event-stream" },
      });
      expect(await firstChunk(program)).toBe(`:\nid: ${shown?.id}\n\n`);
      expect((await ada.call("DELETE /session")).status).toBe(204);
      expect([await stream.next(), await again.next()]).toEqual([undefined, undefined]);
      outside.close();
      const bob = await signUp(server, "bob@example.com");
      const asBob = { headers: { Cookie: bob.cookie() ?? "" } };
      const { lastEventId, account } = await bob.read("/session");
      await server.pet({ name: "after the session" });
      expect((await followEvents(`${address}?after=-1`, asBob)).status).toBe(400);
      const ofPage = await followEvents(`${address}?after=${lastEventId}&role=${account.role}`, asBob);
      expect(addedBy(await ofPage.take(1))).toEqual(["after the session"]);
      await petstore(server.store, ["accounts", "role", "bob@example.com", "viewer"]);
      expect(await ofPage.next()).toBeUndefined();
      const ofBob = await followEvents(address, asBob);
      expect((await bob.call("POST /account/delete", { password: PASSWORD })).status).toBe(204);
      expect(await ofBob.next()).toBeUndefined();
    });

    test("is counted in the metrics while it is open and when it ends", async () => {
      const read = async () => {
        const { body } = await send("GET", server.metrics);
        return (name: string) => Number(new RegExp(`^${name} (\\d+)$`, "m").exec(body)?.[1]);
      };
      // Waits until the streams of earlier tests have ended.
      await until(async () => (await read())("petstore_event_streams") === 0);
      const before = await read();
      const streams = [await follow(), await follow()];
      await server.pet({ name: "counted" });
      for (const stream of streams) await stream.take(1);
      const during = await read();
      expect(during("petstore_event_streams") - before("petstore_event_streams")).toBe(2);
      const sent = "petstore_event_stream_events_total";
      expect(during(sent) - before(sent)).toBe(2);
      for (const stream of streams) stream.close();
    });

    // The next test deletes events, so it must be the last one with this service.
    test("410 once the events behind Last-Event-ID have been deleted", async () => {
      await database.prune(3);
      const expired = await follow("", "2");
      expect([expired.status, JSON.parse(await expired.text()).code]).toEqual([410, "cursor_expired"]);
      const kept = await follow("", "3");
      expect((await kept.take(1))[0]?.id).toBe("4");
      kept.close();
      const newest: number = (await server.get("/events?limit=1")).json[0].id;
      await database.prune(newest - 1);
      const atEnd = await follow("", String(newest));
      await server.pet({ name: "next" });
      expect((await atEnd.take(1))[0]?.id).toBe(String(newest + 1));
      atEnd.close();
      const above = await follow("", String(newest + 2));
      expect([above.status, JSON.parse(await above.text()).message]).toEqual([
        ...[400, `Last-Event-ID must be the id of an event. The highest id so far is ${newest + 1}.`],
      ]);
    });
  });

  test("SIGTERM ends the streams and the service", async () => {
    const other = await startProcess();
    const otherKey = await makeKey(other.store);
    const streams = await Promise.all(
      Array.from({ length: 5 }, () => followEvents(`${other.production}/events`, { key: otherKey })),
    );
    const stopped = other.stop();
    for (const stream of streams) expect(await stream.next()).toBeUndefined();
    expect(await stopped).toBe(0);
    expect(other.log()).toContain('"stopped"');
  });
});

/** Returns the first bytes of an event stream, and then closes the stream. */
async function firstChunk({ body }: Response): Promise<string> {
  const reader = body?.getReader();
  const { value } = (await reader?.read()) ?? {};
  await reader?.cancel();
  return Buffer.from(value ?? "").toString();
}
