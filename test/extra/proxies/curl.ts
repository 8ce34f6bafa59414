export interface Answer {
  readonly status: number;
  /** The values of each response header, keyed by the header's name in lower case. */
  readonly headers: ReadonlyMap<string, readonly string[]>;
  readonly body: string;
}

export interface CurlOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The address in 127.0.0.0/8 that the client connects from. */
  readonly from?: string;
  /** Sends `Expect: 100-continue` and waits for the proxy's answer before it sends the body (RFC 9110 §10.1.1). */
  readonly expectsContinue?: boolean;
}

/** The ports of a proxy, and the certificate that its clients trust. */
export interface ProxyAddress {
  readonly httpsPort: number;
  readonly httpPort: number;
  readonly certificate: string;
}

/** Sends one request with curl. The host names in the example configurations lead to the proxy. */
export async function curl(
  { certificate }: Partial<ProxyAddress>,
  address: string,
  options: CurlOptions = {},
): Promise<Answer> {
  const { hostname, port } = new URL(address);
  const headers = Object.entries(options.headers ?? {}).flatMap(([name, value]) => [
    "-H",
    `${name}: ${value}`,
  ]);
  const child = Bun.spawn(
    [
      ...["curl", "-sS", "-i", "--max-time", "60", "--noproxy", "*"],
      ...(certificate === undefined ? [] : ["--cacert", certificate]),
      ...["--resolve", `${hostname}:${port}:127.0.0.1`, "--interface", options.from ?? "127.0.0.1"],
      ...(options.expectsContinue ? ["--http1.1", "-H", "Expect: 100-continue"] : []),
      ...[
        "-X",
        options.method ?? "GET",
        ...headers,
        ...(options.body === undefined ? [] : ["--data-binary", "@-"]),
      ],
      address,
    ],
    { stdin: new Blob([options.body ?? ""]), stdout: "pipe", stderr: "pipe" },
  );
  const [text, errors] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  if ((await child.exited) !== 0)
    throw new Error(
      `${address}, ${options.body?.length ?? 0} bytes, ${JSON.stringify(options.headers)}: ${errors.trim()}`,
    );
  return parse(text);
}

function parse(text: string): Answer {
  const [head = "", ...rest] = text.split("\r\n\r\n");
  // curl also prints the `100 Continue` response, which is skipped here.
  if (/^HTTP\/\S+ 100/.test(head)) return parse(rest.join("\r\n\r\n"));
  const [statusLine = "", ...lines] = head.split("\r\n");
  const headers = new Map<string, string[]>();
  for (const line of lines) {
    const name = line.slice(0, line.indexOf(":")).toLowerCase();
    headers.set(name, [...(headers.get(name) ?? []), line.slice(line.indexOf(":") + 1).trim()]);
  }
  return { status: Number(statusLine.split(" ")[1]), headers, body: rest.join("\r\n\r\n") };
}
