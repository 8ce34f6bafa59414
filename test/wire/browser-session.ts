import { beforeAll, expect } from "bun:test";
import type { NewPet } from "../../src/pets/contract.ts";
import { type Reply, send } from "./send.ts";
import type { Server } from "./server.ts";

/** Acts as a browser: it keeps the session cookie that it gets, and sends its `Origin`. */
export interface BrowserSession {
  /** Sends a request such as `POST /session` to the console's API. */
  call(request: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Reply>;
  cookie(): string | undefined;
  /** Reads a path of the console's API, and returns the parsed JSON. */
  read(path: string): Promise<Reply["json"]>;
  /** Adds an available animal to category 1. Returns its identifier. */
  pet(members?: Partial<NewPet>): Promise<number>;
}

/** Settings of a server that trusts a proxy on this machine. Each browser in a test can then claim a different IP address. */
export const BEHIND_PROXY = { PETSTORE_TRUSTED_PROXIES: "127.0.0.1,::1" };

let browsers = 0;

export function openBrowserSession(
  server: Pick<Server, "production" | "staging">,
  environment: "production" | "staging" = "production",
  cookie?: string,
  address = `203.0.${++browsers >> 8}.${browsers & 255}`,
): BrowserSession {
  const { origin } = new URL(server[environment]);
  let kept = cookie;
  const session: BrowserSession = {
    cookie: () => kept,
    read: async (path) => (await session.call(`GET ${path}`)).json,
    async pet(members) {
      const pet = { name: "x", categoryId: 1, status: "available", ...members };
      return (await session.call("POST /pets", pet)).json.id;
    },
    async call(request, body, headers = {}) {
      const [method = "", path = ""] = request.split(" ");
      const reply = await send(method, `${origin}/console/api${path}`, {
        headers: { Origin: origin, "X-Forwarded-For": address, ...(kept && { Cookie: kept }), ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const set = reply.headers.get("set-cookie");
      if (set !== null) kept = set.split(";", 1)[0];
      return reply;
    },
  };
  return session;
}

export const PASSWORD = "nine gentle otters";

const session =
  (request: string) =>
  async (
    server: Pick<Server, "production" | "staging">,
    email: string,
    environment: "production" | "staging" = "production",
  ): Promise<BrowserSession> => {
    const browser = openBrowserSession(server, environment);
    const { status, body } = await browser.call(request, { email, password: PASSWORD });
    if (status !== 201) throw new Error(body);
    return browser;
  };

export const signUp = session("POST /accounts");

export const signIn = session("POST /session");

/** Creates a browser that signs up before a block of tests. The members of the returned object are set before the first test. */
export function usePerson(server: Server, email: string): BrowserSession {
  const person = {} as BrowserSession;
  beforeAll(async () => void Object.assign(person, await signUp(server, email)));
  return person;
}

/** Returns the identifier of an account, from the list of accounts that an owner can see. */
export async function accountId(owner: Pick<BrowserSession, "call">, email: string): Promise<number> {
  const people: { id: number; email: string }[] = (await owner.call("GET /accounts")).json;
  return people.find((person) => person.email === email)?.id ?? expect.unreachable();
}
