import { readJson } from "exact-json/read-json";
import type { Fetch } from "../../../client/src/options.ts";
import { PET_LINES_MAX } from "../../pet-files/limits.ts";
import type { PetLineAnswer } from "../contract.ts";

interface Waiting {
  /** The change as JSON text. */
  readonly text: string;
  /** The request identifier, which is used to undo an import; null if the change has none. */
  readonly requestId: string | null;
  readonly signal: AbortSignal | undefined;
  resolve(response: Response): void;
  reject(error: unknown): void;
}

const BATCH_CHARACTERS_MAX = 20_000; // maximum number of characters in a batch; even if each takes three bytes, they fit into 64 KiB

/**
 * Creates a `fetch` function for changes to animals and orders. It sends the waiting changes together, as the lines of one request,
 * and never more than one request at a time. Each change keeps its idempotency key and its precondition, and gets its own response.
 *
 * @param base address of the console's API
 */
export function createLineSender(base: string): Fetch {
  const address = `${base}/pet-lines`;
  const waiting: Waiting[] = [];
  let isSending = false;

  async function sendAll() {
    isSending = true;
    // All changes that are made in the same turn of the event loop are sent in one batch.
    await new Promise((resolve) => setTimeout(resolve));
    while (waiting.length > 0) await sendBatch(address, waiting.splice(0, countFor(waiting)));
    isSending = false;
  }

  return (target, init) =>
    new Promise((resolve, reject) => {
      waiting.push({
        text: lineText(target.slice(base.length), init),
        requestId: new Headers(init.headers).get("X-Request-Id"),
        signal: init.signal ?? undefined,
        resolve,
        reject,
      });
      if (!isSending) void sendAll();
    });
}

/** Returns how many of the waiting changes fit into the next request, at least 1. */
function countFor(waiting: readonly Waiting[]): number {
  let characters = 0;
  const end = waiting.findIndex(({ text }, index) => {
    characters += text.length;
    return index === PET_LINES_MAX || (index > 0 && characters > BATCH_CHARACTERS_MAX);
  });
  return end < 0 ? waiting.length : end;
}

function lineText(path: string, { method, headers, body }: RequestInit): string {
  const sent = new Headers(headers);
  const idempotencyKey = sent.get("Idempotency-Key") ?? undefined;
  const ifMatch = sent.get("If-Match") ?? undefined;
  const text = JSON.stringify({ method, path, idempotencyKey, ifMatch });
  // The body of a change is inserted unchanged, because it is already JSON, with all digits of its integers.
  return body ? `${text.slice(0, -1)},"body":${body}}` : text;
}

/** Sends a batch of lines, and resolves or rejects the promise of each line. The returned promise never rejects. */
async function sendBatch(address: string, lines: readonly Waiting[]): Promise<void> {
  const requestId = lines[0]?.requestId;
  try {
    const response = await fetch(address, {
      method: "POST",
      headers: {
        ...(requestId && { "X-Request-Id": requestId }),
        "Content-Type": "application/json",
        Accept: "application/problem+json, application/json;q=0.9",
      },
      body: `{"lines":[${lines.map(({ text }) => text).join()}]}`,
      // The batch gets the signal of its oldest change, which has the earliest deadline.
      signal: lines[0]?.signal ?? null,
    });
    if (response.status === 413 && lines.length > 1) return await sendHalves(address, lines);
    const text = await response.text();
    if (!response.ok) {
      // The server has refused the whole request, for example because the session has ended. Every change in it gets this
      // response.
      for (const { resolve } of lines) resolve(new Response(text, response));
      return;
    }
    const answers = readJson(text) as readonly PetLineAnswer[];
    for (const [index, { resolve }] of lines.entries()) {
      const { body, ...rest } = answers[index] as PetLineAnswer;
      resolve(new Response(body, rest));
    }
  } catch (error) {
    for (const { reject } of lines) reject(error);
  }
}

/** Sends a batch as two smaller batches, because the server's limit for the size of a body may be lower than usual. */
async function sendHalves(address: string, lines: readonly Waiting[]): Promise<void> {
  const half = lines.length >> 1;
  await sendBatch(address, lines.slice(0, half));
  await sendBatch(address, lines.slice(half));
}
