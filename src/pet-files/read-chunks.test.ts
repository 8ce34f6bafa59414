import { expect, test } from "bun:test";
import { readChunks } from "./read-chunks.ts";

test("a stream that fails causes one error for its reader, and no unhandled rejection", async () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => void unhandled.push(reason);
  process.on("unhandledRejection", note);
  const stream = new ReadableStream<Uint8Array>({ start: (it) => it.error(new Error("EIO")) });
  const read = Array.fromAsync(readChunks(stream, new AbortController().signal));
  await expect(read).rejects.toThrow("EIO");
  await new Promise(setImmediate);
  process.off("unhandledRejection", note);
  expect(unhandled).toEqual([]);
});
