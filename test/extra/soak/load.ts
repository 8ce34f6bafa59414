import { createRandom, type Random } from "../../random.ts";
import { type Reply, type SendOptions, send } from "../../wire/send.ts";
import type { SoakedService } from "./service.ts";

type ServiceName = "production" | "staging" | "messages";

interface CallOptions extends SendOptions {
  readonly service?: ServiceName;
  /** The expected statuses of the response, by default only 200. Any other status is reported. */
  readonly expected?: readonly number[];
}

/** A program that sends requests. No other client changes its animals and orders, so it knows how each request must be answered. */
export interface Client {
  readonly name: string;
  readonly random: Random;
  readonly service: SoakedService;
  readonly keys: SoakKeys;
  /** The identifiers of the client's animals that have no order. */
  readonly pets: number[];
  /** The client's animals that have an open order. */
  readonly ordered: { readonly order: number; readonly pet: number }[];
  next(): number;
  /** Waits until the client may send its next request, so that the load keeps its rate. */
  pace(): Promise<void>;
  /** Waits with `pace`, and then sends a request such as `POST /pets` with one of the API keys. */
  call(request: string, options?: CallOptions): Promise<Reply>;
}

export interface SoakKeys {
  readonly write: readonly [string, ...string[]];
  readonly read: readonly [string, ...string[]];
  readonly staging: readonly [string, ...string[]];
}

export interface Load {
  requests(): number;
  /** The unexpected responses, and the requests that got no response. */
  readonly surprises: string[];
  stop(): Promise<void>;
}

interface LoadOptions {
  readonly service: SoakedService;
  readonly keys: SoakKeys;
  readonly perSecond: number;
  readonly seed: number;
  /** Performs one action of a client. An action sends one or several requests. */
  readonly act: (client: Client) => Promise<void>;
}

const CLIENTS = 16;
const BEHIND_MAX_MS = 1_000; // if the load falls further behind its rate, it leaves out requests

/** Sends requests at a steady rate until `stop` is called. */
export function startLoad({ service, keys, perSecond, seed, act }: LoadOptions): Load {
  const random = createRandom(seed);
  const surprises: string[] = [];
  let requests = 0;
  let isOver = false;
  let dueAt = performance.now();

  async function pace(): Promise<void> {
    const now = performance.now();
    dueAt = Math.max(dueAt + 1_000 / perSecond, now - BEHIND_MAX_MS);
    requests++;
    if (dueAt > now) await Bun.sleep(dueAt - now);
  }

  function createClient(name: string): Client {
    const own = random.split();
    let last = 0;
    return {
      ...{ name, random: own, service, keys, pets: [], ordered: [], pace },
      next: () => ++last,
      async call(request, { service: at = "production", expected = [200], ...options } = {}) {
        await pace();
        const [method = "", path = ""] = request.split(" ");
        const key = own.pick(at === "staging" ? keys.staging : keys.write);
        const reply = await send(method, service[at] + path, { key, ...options });
        if (!expected.includes(reply.status))
          surprises.push(`${request} ${options.body ?? ""}: ${reply.status} ${reply.body}`);
        return reply;
      },
    };
  }

  async function run(client: Client): Promise<void> {
    while (!isOver)
      await act(client).catch((error: unknown) => void surprises.push(`${client.name}: ${error}`));
  }

  const running = Array.from({ length: CLIENTS }, (_, number) => run(createClient(`client-${number}`)));
  return {
    requests: () => requests,
    surprises,
    async stop() {
      isOver = true;
      await Promise.all(running);
    },
  };
}
