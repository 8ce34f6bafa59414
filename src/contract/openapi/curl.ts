interface CurlRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** A request as a shell command, with `$PETSTORE_KEY` in place of the key. */
export function curlCommand({ url, method, headers, body }: CurlRequest): string {
  const isDefault = method.toUpperCase() === (typeof body === "string" ? "POST" : "GET");
  const fields = Object.entries(headers).map(([name, value]) =>
    name.toLowerCase() === "authorization"
      ? `-H "${name}: Bearer $PETSTORE_KEY"`
      : `-H ${quoted(`${name}: ${value}`)}`,
  );
  return [
    `curl ${isDefault ? "" : `-X ${method.toUpperCase()} `}${quoted(url)}`,
    ...fields,
    ...(typeof body === "string" ? [`--data-raw ${quoted(body)}`] : []),
  ].join(" \\\n  ");
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
