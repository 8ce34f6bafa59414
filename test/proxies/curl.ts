/** An answer as it came over the wire. */
export interface Answer {
  readonly status: number;
  /** Header lines in lower case, each name with every value it was given. */
  readonly headers: ReadonlyMap<string, readonly string[]>;
  readonly body: string;
}

export interface Ask {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The address on this machine that the client comes from: any of 127.0.0.0/8. */
  readonly from?: string;
  /** Asks whether the body is wanted before it sends it (RFC 9110 §10.1.1). */
  readonly asksFirst?: boolean;
}

/** Where a proxy listens, and the certificate that it is believed by. */
export interface Front {
  readonly httpsPort: number;
  readonly httpPort: number;
  readonly certificate: string;
}

/** One request by curl, with the names of the examples leading to the proxy. */
export async function curl(front: Front, address: string, ask: Ask = {}): Promise<Answer> {
  const { hostname, port } = new URL(address);
  const headers = Object.entries(ask.headers ?? {}).flatMap(([name, value]) => ["-H", `${name}: ${value}`]);
  const child = Bun.spawn(
    [
      ...["curl", "-sS", "-i", "--max-time", "60", "--cacert", front.certificate],
      ...["--resolve", `${hostname}:${port}:127.0.0.1`, "--interface", ask.from ?? "127.0.0.1"],
      ...(ask.asksFirst ? ["--http1.1", "-H", "Expect: 100-continue"] : []),
      ...["-X", ask.method ?? "GET", ...headers, ...(ask.body === undefined ? [] : ["--data-binary", "@-"])],
      address,
    ],
    { stdin: new Blob([ask.body ?? ""]), stdout: "pipe", stderr: "pipe" },
  );
  const [text, errors] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  if ((await child.exited) !== 0)
    throw new Error(
      `${address}, ${ask.body?.length ?? 0} bytes, ${JSON.stringify(ask.headers)}: ${errors.trim()}`,
    );
  return parse(text);
}

function parse(text: string): Answer {
  const [head = "", ...rest] = text.split("\r\n\r\n");
  // `100 Continue`, which curl shows as well, is no answer yet.
  if (/^HTTP\/\S+ 100/.test(head)) return parse(rest.join("\r\n\r\n"));
  const [statusLine = "", ...lines] = head.split("\r\n");
  const headers = new Map<string, string[]>();
  for (const line of lines) {
    const name = line.slice(0, line.indexOf(":")).toLowerCase();
    headers.set(name, [...(headers.get(name) ?? []), line.slice(line.indexOf(":") + 1).trim()]);
  }
  return { status: Number(statusLine.split(" ")[1]), headers, body: rest.join("\r\n\r\n") };
}
