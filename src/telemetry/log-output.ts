import { write, writeSync } from "node:fs";
import { errorCode } from "../errors.ts";

const LOG_QUEUE_MAX = 1024 * 1024; // maximum number of characters that wait while the output is blocked; further lines are counted but not written
const LOG_WRITE_MS = 100; // longest time that one write may take when the process ends; if it takes longer, nothing more is written
const LOG_RETRY_MS = 100; // pause before a write is tried again because the output could not accept it
const LOG_FLUSH_DEADLINE_MS = 1_000; // longest time for writing all remaining lines when the process ends; lines that are still waiting then are lost

/**
 * Writes whole lines asynchronously, so that a blocked file or pipe delays no request. Waiting lines are kept in a queue of limited
 * size, and lines that do not fit are dropped. `flush` resolves when everything has been written, or at the deadline.
 *
 * @param noticeOf creates the line that replaces dropped lines, from the number of dropped lines
 */
export function openLogOutput(descriptor: number, noticeOf: (lines: number) => string) {
  let queue: (string | Uint8Array)[] = [];
  let queuedLength = 0;
  let underWay: Buffer | undefined;
  let beganAt = 0;
  let dropped = 0;
  let noticed = 0;
  let onIdle = () => {};

  function takeQueue(): Buffer {
    if (dropped > noticed) queue.push(noticeOf(dropped - noticed));
    noticed = dropped;
    const bytes = Buffer.concat(
      queue.map((lines) => (typeof lines === "string" ? Buffer.from(lines) : lines)),
    );
    queue = [];
    queuedLength = 0;
    return bytes;
  }

  function writeOn() {
    if (underWay === undefined && queue.length > 0) underWay = takeQueue();
    if (underWay !== undefined) {
      beganAt = performance.now();
      write(descriptor, underWay, onWritten);
    } else onIdle();
  }

  function onWritten(error: NodeJS.ErrnoException | null, written: number) {
    if (errorCode(error) === "EAGAIN") {
      setTimeout(writeOn, LOG_RETRY_MS);
      return;
    }
    const rest = underWay?.subarray(written) ?? Buffer.alloc(0);
    // The pipe is closed or the disk is full, so the remaining log lines are lost.
    if (error !== null) dropped += linesIn(rest);
    underWay = error === null && rest.length > 0 ? rest : undefined;
    writeOn();
  }

  return {
    write(lines: string | Uint8Array) {
      if (queuedLength + lines.length > LOG_QUEUE_MAX) {
        dropped += linesIn(lines);
        return;
      }
      queue.push(lines);
      queuedLength += lines.length;
      if (underWay === undefined) writeOn();
    },
    async flush() {
      if (underWay === undefined) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      onIdle = resolve;
      const deadline = setTimeout(resolve, LOG_FLUSH_DEADLINE_MS);
      await promise;
      clearTimeout(deadline);
    },
    /** Writes the queue before the process ends. If the output is blocked, nothing is written, because that could take forever. */
    flushSync() {
      if (underWay !== undefined) {
        if (performance.now() - beganAt > LOG_WRITE_MS) return;
        Bun.sleepSync(LOG_WRITE_MS);
      }
      writeSync(descriptor, takeQueue());
    },
    droppedLines: () => dropped,
  };
}

function linesIn(text: string | Uint8Array): number {
  return (typeof text === "string" ? text : Buffer.from(text).toString()).split("\n").length - 1;
}
