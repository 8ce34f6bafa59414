import { describe, expect, test } from "bun:test";
import { createStreamParser, readMessages, type StreamMessage } from "./event-stream.ts";

/** Parses a stream that arrives in these pieces, and returns its messages. */
const parse = (...pieces: readonly string[]): readonly StreamMessage[] =>
  pieces.flatMap(createStreamParser());

const dataOf = (text: string) => parse(text).map(({ data }) => data);

describe("an event stream", () => {
  test("may contain comments and multi-line messages, and the last identifier stays in effect", () => {
    expect(parse("id: 1\ndata: a\ndata: b\n\n: heartbeat\n\ndata:  c\n\nid\ndata: d\n\n")).toEqual([
      { id: "1", data: "a\nb" },
      { id: "1", data: undefined },
      { id: "1", data: " c" },
      { id: "", data: "d" },
    ]);
  });

  test("is parsed as in the standard's examples", () => {
    expect(dataOf("data: YHOO\ndata: +2\ndata: 10\n\n")).toEqual(["YHOO\n+2\n10"]);
    expect(dataOf("data\n\ndata\ndata\n\ndata:")).toEqual(["", "\n"]);
    expect(dataOf("data:test\n\ndata: test\n\n")).toEqual(["test", "test"]);
  });

  test("ignores unknown fields and identifiers with U+0000", () => {
    expect(
      parse("id: 1\nid: 2\0\nevent: x\nretry: 5\nfoo: bar\ndatab: no\ndata\u00a0: no\ndata: a:b\n\n"),
    ).toEqual([{ id: "1", data: "a:b" }]);
  });

  test("may end lines with LF, CR or CR LF, even if a line break is split between chunks", () => {
    const text = "id: 1\r\ndata: a\r\n\r\nid: 2\rdata: b\r\rid: 3\ndata: ü\ndata\r\n\n: c\r\n\r\ndata: cut";
    const whole = parse(text);
    expect(whole).toEqual([
      { id: "1", data: "a" },
      { id: "2", data: "b" },
      { id: "3", data: "ü\n" },
      { id: "3", data: undefined },
    ]);
    expect(parse(...text)).toEqual(whole);
    expect(parse(...[...text].flatMap((character) => [character, ""]))).toEqual(whole);
    const seen = new Set<string>();
    for (let first = 0; first <= text.length; first++)
      for (let second = first; second <= text.length; second++)
        seen.add(JSON.stringify(parse(text.slice(0, first), text.slice(first, second), text.slice(second))));
    expect([...seen]).toEqual([JSON.stringify(whole)]);
  });

  test("yields a message at its empty line, without waiting for the next chunk", () => {
    const push = createStreamParser();
    expect(push("data: a\r\n\r")).toEqual([{ id: "", data: "a" }]);
    expect(push("\ndata: b\r\r")).toEqual([{ id: "", data: "b" }]);
    expect(push("\n")).toEqual([]);
  });
});

describe("the messages of a connection", () => {
  /** Creates a response body that delivers all its pieces at once, and does not end until it is cancelled. */
  function bodyOf(...pieces: readonly string[]) {
    const cancelled = Promise.withResolvers<string>();
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece));
      },
      cancel: () => cancelled.resolve("cancelled"),
    });
    return { body, cancelled: cancelled.promise };
  }

  const collect = async (messages: AsyncIterable<StreamMessage>) =>
    (await Array.fromAsync(messages)).map(({ data }) => data);

  test("end, and the connection is closed, when nothing arrives for the given time", async () => {
    const { body, cancelled } = bodyOf("data: ü\n\ndata: cut");
    expect(await collect(readMessages(body, 20, undefined))).toEqual(["ü"]);
    expect(await cancelled).toBe("cancelled");
  });

  test("do not time out while the caller is processing a message", async () => {
    const { body, cancelled } = bodyOf("data: a\n\n", "data: b\n\n");
    const messages = readMessages(body, 20, undefined);
    await messages.next();
    expect(await Promise.race([cancelled, Bun.sleep(60)])).toBeUndefined();
    expect((await messages.next()).value?.data).toBe("b");
    await messages.return();
    expect(await cancelled).toBe("cancelled");
  });

  test("end when the signal aborts or the connection breaks", async () => {
    const caller = new AbortController();
    const { body, cancelled } = bodyOf("data: a\n\n");
    const messages = readMessages(body, 1e6, caller.signal);
    await messages.next();
    const pending = messages.next();
    caller.abort();
    expect((await pending).done).toBe(true);
    expect(await cancelled).toBe("cancelled");
    expect(await collect(readMessages(bodyOf("data: a\n\n").body, 1e6, caller.signal))).toEqual([]);
    const broken = new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(new Error()) });
    expect(await collect(readMessages(broken, 1e6, undefined))).toEqual([]);
  });

  test("are decoded correctly when a chunk splits a character or the byte order mark", async () => {
    const bytes = new TextEncoder().encode("\ufeffdata: 🐈\n\n");
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
        controller.close();
      },
    });
    expect(await collect(readMessages(body, 1e6, undefined))).toEqual(["🐈"]);
  });
});
