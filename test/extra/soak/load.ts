import { createRandom, type Random } from "../../random.ts";
import { type Reply, type SendOptions, send } from "../../wire/send.ts";
import type { SoakedService } from "./service.ts";

type ServiceName = "production" | "staging" | "messages";

interface CallOptions extends SendOptions {
  readonly service?: ServiceName;
  /** Statuses that are right for the request; only 200 if left out. Others are reported. */
  readonly expected?: readonly number[];
}

/** One of the programs that send requests. It alone changes its animals and orders, so it knows how each request is answered. */
export interface Client {
  readonly name: string;
  readonly random: Random;
  readonly service: SoakedService;
  readonly keys: SoakKeys;
  /** Identifiers of the animals that the client has created and that have no order. */
  readonly pets: number[];
  /** Animals with an open order. */
  readonly ordered: { readonly order: number; readonly pet: number }[];
  /** Returns a number that this client has not used before. */
  next(): number;
  /** Waits until the client may send its next request. */
  pace(): Promise<void>;
  /** Sends a request such as `POST /pets` with one of the keys, when it is the client's turn. */
  call(request: string, options?: CallOptions): Promise<Reply>;
}

export interface SoakKeys {
  readonly write: readonly [string, ...string[]];
  readonly read: readonly [string, ...string[]];
  readonly staging: readonly [string, ...string[]];
}

export interface Load {
  /** Requests sent so far. */
  requests(): number;
  /** Responses with an unexpected status, and requests without a response. */
  readonly surprises: string[];
  stop(): Promise<void>;
}

interface LoadOptions {
  readonly service: SoakedService;
  readonly keys: SoakKeys;
  readonly perSecond: number;
  readonly seed: number;
  /** Does one thing as a client, with one request or several. */
  readonly act: (client: Client) => Promise<void>;
}

const CLIENTS = 16;
const BEHIND_MAX_MS = 1_000; // a load that is further behind its rate drops the rest

/** Sends requests at a steady rate until `stop`. */
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
