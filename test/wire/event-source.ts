interface StreamedEvent {
  readonly id: string;
  readonly event: string;
  readonly data: {
    readonly id: number;
    readonly type: string;
    readonly data: { readonly id: number; readonly name?: string };
    readonly actor: { readonly kind: string; readonly id: string; readonly name: string };
  };
}

export interface EventSource {
  readonly status: number;
  readonly headers: Headers;
  /** Resolves to the next event, or to undefined at the end of the stream. */
  next(): Promise<StreamedEvent | undefined>;
  take(count: number): Promise<readonly StreamedEvent[]>;
  /** Returns the last event identifier that the service has sent. A browser would continue after this event. */
  lastEventId(): string | undefined;
  comments(): number;
  /** Resolves to the body of a response that is not an event stream. */
  text(): Promise<string>;
  close(): void;
}

interface FollowOptions {
  readonly key?: string;
  readonly lastEventId?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Reads an event stream as a browser does (WHATWG HTML §9.2.6). Resolves once the stream has started. */
export async function followEvents(address: string, options: FollowOptions = {}): Promise<EventSource> {
  const leave = new AbortController();
  const headers = new Headers({ Accept: "text/event-stream", ...options.headers });
  if (options.key !== undefined) headers.set("Authorization", `Bearer ${options.key}`);
  if (options.lastEventId !== undefined) headers.set("Last-Event-ID", options.lastEventId);
  const response = await fetch(address, { headers, signal: leave.signal });
  const decoder = new TextDecoder();
  let reader: ReturnType<typeof readerOf>;
  let text = "";
  let lastEventId = options.lastEventId;
  let comments = 0;

  function takeBlock(): StreamedEvent | undefined | "none" {
    const end = text.indexOf("\n\n");
    if (end < 0) return "none";
    const lines = text.slice(0, end).split("\n");
    text = text.slice(end + 2);
    comments += lines.filter((line) => line.startsWith(":")).length;
    const field = (name: string) =>
      lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
    lastEventId = field("id") ?? lastEventId;
    const data = field("data");
    if (data === undefined) return undefined;
    return { id: field("id") ?? "", event: field("event") ?? "", data: JSON.parse(data) };
  }

  /** Reads the next chunk. Resolves to false at the end of the stream. */
  async function readMore(): Promise<boolean> {
    reader ??= readerOf(response);
    const { value, done } = (await reader?.read()) ?? { value: undefined, done: true };
    text += done ? "" : decoder.decode(value, { stream: true });
    return !done;
  }

  async function next(): Promise<StreamedEvent | undefined> {
    for (;;) {
      const block = takeBlock();
      if (block === undefined) continue;
      if (block !== "none") return block;
      if (!(await readMore())) return undefined;
    }
  }

  if (response.status === 200) {
    // An event stream starts with a block that gives its position. An empty line ends the block.
    while (!text.includes("\n\n")) if (!(await readMore())) throw new Error("The stream ended at once.");
    takeBlock();
  }
  return {
    status: response.status,
    headers: response.headers,
    next,
    async take(count) {
      const events: StreamedEvent[] = [];
      while (events.length < count) {
        const event = await next();
        if (event === undefined) throw new Error(`The stream ended after ${events.length} events.`);
        events.push(event);
      }
      return events;
    },
    lastEventId: () => lastEventId,
    comments: () => comments,
    text: () => response.text(),
    close: () => leave.abort(),
  };
}

function readerOf({ body }: Response) {
  return body?.getReader();
}
