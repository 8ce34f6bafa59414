import type { TestApp } from "./test-app.ts";
import { type Reply, replyOf } from "./wire/send.ts";

export interface ConsoleRequest {
  readonly address?: string;
  readonly cookie?: string | undefined;
  readonly origin?: string;
  readonly host?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The members of a context that describe a browser's request, for tests that call the account functions directly. */
export const BROWSER = {
  environment: "production",
  address: "198.51.100.7",
  userAgent: "",
  isSharedAddress: false,
  passkeyTokens: [],
  origin: "",
} as const;

/** Sends a browser's request, such as `POST /session`, to the console of production without using its port. */
export async function callConsole(
  app: TestApp,
  request: string,
  body?: unknown,
  options: ConsoleRequest = {},
): Promise<Reply> {
  const { address = BROWSER.address, cookie = "", origin = "http://localhost:8080" } = options;
  const { host = new URL(origin).host, headers } = options;
  const [method = "", path = ""] = request.split(" ");
  const response = await app.services.production?.fetch(
    new Request(`http://localhost:8080/console/api${path}`, {
      method,
      headers: { Host: host, Origin: origin, "Content-Type": "application/json", Cookie: cookie, ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
    { peer: () => address, cutOff() {} },
  );
  if (response === undefined) throw new Error("There is no production service.");
  return replyOf(response.status, response.headers, await response.text());
}

/** Returns the cookie that a response sets, as `name=value`. */
export const cookieOf = ({ headers }: Pick<Reply, "headers">) => headers.get("set-cookie")?.split(";", 1)[0];
