import { beforeEach, describe, expect, test } from "bun:test";
import { createTestClock, type TestClock } from "../../test/clock.ts";
import { ServiceError, unavailable } from "../errors.ts";
import type { OpenStream } from "../platform/stream-source.ts";
import {
  createEventStreams,
  type EventStreams,
  STREAM_CHECK_MS,
  STREAM_HEARTBEAT_MS,
  STREAM_STALL_MS,
} from "./event-streams.ts";
import { createShareCheck } from "./key-shares.ts";

let clock: TestClock;
let streams: EventStreams;
let ends: string[];
let faults: unknown[];
let sent: number;
let cutOffs: number;
beforeEach(() => {
  clock = createTestClock();
  ends = [];
  faults = [];
  sent = 0;
  cutOffs = 0;
  streams = createEventStreams({
    clock,
    max: 2,
    requireShare: createShareCheck(() => {}),
    onSent: (events) => {
      sent += events;
    },
    onEnd: (reason) => ends.push(reason),
    onError: (error) => faults.push(error),
  });
});

/**
 * Creates the source of a stream. `add` adds a chunk or an error to the source, and `reads` counts how often the source was read.
 */
function createSource() {
  const texts: (string | Error)[] = [];
  let wake = () => {};
  let reads = 0;
  let isClosed = false;
  return {
    add(text: string | Error) {
      texts.push(text);
      wake();
    },
    reads: () => reads,
    isClosed: () => isClosed,
    async *source(stream: OpenStream) {
      wake = stream.wake;
      const heartbeat = { bytes: new TextEncoder().encode(":"), events: 0 };
      try {
        yield heartbeat;
        while (!stream.isOver()) {
          reads++;
          const text = texts.shift();
          if (text instanceof Error) throw text;
          if (text !== undefined) yield { bytes: new TextEncoder().encode(text), events: 1 };
          else if (stream.isSilent()) yield heartbeat;
          else await stream.woken();
        }
      } finally {
        isClosed = true;
      }
    },
  };
}

function open(check = async () => {}, id = "key_1") {
  const source = createSource();
  const reader = streams.begin(source.source, { id, check, cutOff: () => void cutOffs++ }).getReader();
  const read = async () => {
    const { value, done } = await reader.read();
    return done ? undefined : new TextDecoder().decode(value);
  };
  return { source, read, cancel: () => reader.cancel() };
}

async function look(): Promise<void> {
  await clock.advance(STREAM_CHECK_MS);
  streams.look();
  await new Promise((resolve) => setImmediate(resolve));
}

/** Advances the clock step by step, and checks the streams after each step, as the service does. */
async function pass(milliseconds: number): Promise<void> {
  for (let passed = 0; passed < milliseconds; passed += STREAM_CHECK_MS) await look();
}

describe("an event stream", () => {
  test("begins with a comment, and reads new events only after the earlier ones have been sent", async () => {
    const { source, read } = open();
    expect(await read()).toBe(":");
    const first = read();
    source.add("a");
    source.add("b");
    expect(await first).toBe("a");
    await clock.advance(1);
    const reads = source.reads();
    source.add("c");
    await clock.advance(1);
    expect(source.reads()).toBe(reads);
    expect([await read(), await read(), sent]).toEqual(["b", "c", 3]);
  });

  test("has a comment after 15 seconds without an event, and no sooner", async () => {
    const { source, read } = open();
    await read();
    const next = read();
    await pass(STREAM_HEARTBEAT_MS - 2 * STREAM_CHECK_MS);
    source.add("a");
    expect(await next).toBe("a");
    const comment = read();
    await pass(STREAM_HEARTBEAT_MS + STREAM_CHECK_MS);
    expect(await comment).toBe(":");
  });

  test("is closed when its client stops reading, and other streams stay open", async () => {
    const slow = open();
    const other = open();
    await other.read();
    const waiting = other.read();
    await pass(STREAM_STALL_MS + 2 * STREAM_CHECK_MS);
    expect([ends, slow.source.isClosed(), streams.count()]).toEqual([["slow"], true, 1]);
    await expect(slow.read()).rejects.toThrow("slow");
    expect(cutOffs).toBe(1);
    other.source.add("a");
    expect(await waiting).toBe("a");
  });

  test("is closed when its client disconnects", async () => {
    const { source, read, cancel } = open();
    await read();
    await cancel();
    expect([ends, source.isClosed(), streams.count()]).toEqual([["client"], true, 0]);
  });

  test("ends at a fault, which is logged, while a refusal is not logged as a fault", async () => {
    for (const error of [new Error("disk"), new ServiceError("cursor_expired", "deleted")]) {
      const { source, read } = open();
      await read();
      const next = read();
      source.add(error);
      expect(await next).toBeUndefined();
    }
    expect([ends, faults]).toEqual([["failed", "failed"], [new Error("disk")]]);
  });

  test("is refused with 503 above the limit until another one ends", async () => {
    const { read, cancel } = open();
    await read();
    open();
    expect(streams.requireRoom).toThrow("Too many event streams");
    await cancel();
    streams.requireRoom(undefined);
  });

  test("ends when its key ends, and all streams of a key share one check per interval", async () => {
    let checks = 0;
    let error: Error | undefined;
    const check = async () => {
      checks++;
      if (error !== undefined) throw error;
    };
    const mine = [open(check), open(check)];
    for (const { read } of mine) await read();
    const waiting = mine.map(({ read }) => read());
    await look();
    await look();
    expect(checks).toBe(2);
    error = unavailable("The store cannot be reached.");
    await look();
    expect([ends, streams.count()]).toEqual([[], 2]);
    error = new ServiceError("unauthorized", "revoked");
    await look();
    expect(await Promise.all(waiting)).toEqual([undefined, undefined]);
    expect(ends).toEqual(["revoked", "revoked"]);
  });

  test("ends when the process stops, which then refuses new streams", async () => {
    const reading = open();
    await reading.read();
    const waiting = reading.read();
    const stuck = open();
    streams.stop();
    expect(await waiting).toBeUndefined();
    await expect(stuck.read()).rejects.toThrow("stopping");
    expect([ends, streams.count()]).toEqual([["stopping", "stopping"], 0]);
    expect(streams.requireRoom).toThrow("stopping");
  });
});
