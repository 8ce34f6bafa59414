import type { HttpRequest } from "./swagger-ui.ts";

/** The same request as a shell command, with `$KEY` in place of the key. */
export function curlCommand({ url, method, headers, body }: HttpRequest): string {
  const fields = Object.entries(headers).map(([name, value]) =>
    name.toLowerCase() === "authorization"
      ? `-H "${name}: Bearer $KEY"`
      : `-H ${quoted(`${name}: ${value}`)}`,
  );
  return [
    `curl -X ${method.toUpperCase()} ${quoted(url)}`,
    ...fields,
    ...(typeof body === "string" ? [`--data-raw ${quoted(body)}`] : []),
  ].join(" \\\n  ");
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
