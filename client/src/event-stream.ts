/** A message of an event stream. If it has no data, it only updates the client's position in the stream. */
export interface StreamMessage {
  /** The last `id` that the stream has sent; empty if it has not sent any. */
  readonly id: string;
  readonly data: string | undefined;
}

/**
 * Creates a parser of `text/event-stream` (HTML §9.2.6). The parser takes the text in pieces, which may begin and end anywhere. The
 * text must not begin with a byte order mark.
 */
export function createStreamParser(): (text: string) => StreamMessage[] {
  let rest = "";
  let endedWithReturn = false;
  let id = "";
  let data: string[] = [];

  function takeLine(line: string): StreamMessage[] {
    if (line === "") {
      const message = { id, data: data.length === 0 ? undefined : data.join("\n") };
      data = [];
      return [message];
    }
    const [, field = line, value = ""] = /^([^:]*):? ?([\s\S]*)$/.exec(line) ?? [];
    if (field === "data") data.push(value);
    if (field === "id" && !value.includes("\0")) id = value;
    return [];
  }

  return (text) => {
    // If one piece ends with a carriage return, a line feed at the start of the next piece belongs to the same line break.
    const isHalf = endedWithReturn && text.startsWith("\n");
    const lines = (rest + (isHalf ? text.slice(1) : text)).split(/\r\n|\n|\r/);
    if (text !== "") endedWithReturn = text.endsWith("\r");
    rest = lines.pop() ?? "";
    return lines.flatMap(takeLine);
  };
}

/**
 * Yields the messages of a stream. Stops when the service or the network ends the stream, when the signal aborts, or when nothing
 * arrives for `silenceMs` while the caller waits. An incomplete last message is dropped.
 */
export async function* readMessages(
  body: ReadableStream<Uint8Array>,
  silenceMs: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<StreamMessage, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const parse = createStreamParser();
  // Cancelling the reader resolves a pending read, which would otherwise wait until the service sends something.
  const cancel = () => void reader.cancel().catch(() => undefined);
  signal?.addEventListener("abort", cancel, { once: true });
  try {
    if (signal?.aborted) return;
    for (;;) {
      const timer = setTimeout(cancel, silenceMs);
      const { value } = await reader.read().catch(() => ({ value: undefined }));
      clearTimeout(timer);
      if (value === undefined) return;
      yield* parse(decoder.decode(value, { stream: true }));
    }
  } finally {
    signal?.removeEventListener("abort", cancel);
    cancel();
  }
}
