import type { Random } from "../../random.ts";
import { type Reply, send } from "../../wire/send.ts";
import type { Server } from "../../wire/server.ts";
import type { Ledger } from "./ledger.ts";
import { type ClientState, nextRequest, type WorkloadRequest } from "./workload.ts";

export interface Client {
  /** Sends requests to the server, one after another, until `isOver` returns true or a response is wrong. */
  run(server: Server, isOver: () => boolean): Promise<void>;
  /** After a crash, finds out whether the request that got no response was executed. */
  resolve(server: Server): Promise<void>;
}

interface ClientOptions {
  readonly name: string;
  readonly key: string;
  readonly ledger: Ledger;
  readonly random: Random;
  readonly nextTag: () => number;
}

/**
 * The maximum time for retries while the server is still processing the first attempt of a request, or while its database is not
 * available, and the pause before each retry. Some tests cut the database off for 10 s, and a busy machine then needs several more
 * seconds until another server has taken over.
 */
const RETRY_MAX_MS = 60_000;
const RETRY_PAUSE_MS = 50;
/** The share of requests that the client sends a second time with the same idempotency key, after it knows their outcome. */
const REPEATED = 0.1;

export function createClient({ name, key, ledger, random, nextTag }: ClientOptions): Client {
  const state: ClientState = { client: name, ledger, random, nextTag, available: [], open: [], requests: 0 };
  let unanswered: WorkloadRequest | undefined;

  function settle(request: WorkloadRequest, reply: Reply): void {
    unanswered = undefined;
    request.onDone(reply);
    ledger.acknowledged++;
  }
  function reportMisanswered({ method, path, body = "" }: WorkloadRequest, reply: Reply): void {
    unanswered = undefined;
    ledger.report("misanswered", `${method} ${path} ${body} was answered ${reply.status} ${reply.body}`);
  }

  /** Sends a request, and sometimes repeats it with the same idempotency key. Returns true if the responses are as expected. */
  async function execute(server: Server, request: WorkloadRequest): Promise<boolean> {
    const reply = await sendOnce(server, key, request);
    if (reply === undefined) return false;
    if (!request.done.includes(reply.status)) {
      reportMisanswered(request, reply);
      return false;
    }
    settle(request, reply);
    if (request.idempotencyKey === undefined || !random.chance(REPEATED)) return true;
    const again = await sendOnce(server, key, request);
    if (again === undefined) return false;
    const isReplayed = again.body === reply.body && again.headers.get("Idempotent-Replayed") === "true";
    if (!isReplayed) reportMisanswered(request, again);
    return isReplayed;
  }

  return {
    async run(server, isOver) {
      while (!isOver()) {
        unanswered = nextRequest(state);
        if (!(await execute(server, unanswered))) return;
      }
    },
    async resolve(server) {
      const request = unanswered;
      if (request === undefined) return;
      const isKeyed = request.idempotencyKey !== undefined;
      if (!isKeyed && request.onLost !== undefined) return request.onLost();
      const reply = await sendUntilSettled(server, key, request);
      const { done, doneBefore = done } = request;
      const isDone = (isKeyed ? done : doneBefore).includes(reply.status);
      (isDone ? settle : reportMisanswered)(request, reply);
    },
  };
}

function sendRequest(server: Server, key: string, request: WorkloadRequest): Promise<Reply> {
  const { method, service, path, body, idempotencyKey } = request;
  return send(method, server[service] + path, {
    key,
    ...(body === undefined ? {} : { body }),
    headers: idempotencyKey === undefined ? {} : { "Idempotency-Key": idempotencyKey },
  });
}

/**
 * Sends a request once. Returns undefined if there is no response or if the server answers 503. `resolve` then finds out later
 * whether the request was executed.
 */
async function sendOnce(server: Server, key: string, request: WorkloadRequest): Promise<Reply | undefined> {
  const reply = await sendRequest(server, key, request).catch(() => undefined);
  return reply?.status === 503 ? undefined : reply;
}

async function sendUntilSettled(server: Server, key: string, request: WorkloadRequest): Promise<Reply> {
  for (const endsAt = performance.now() + RETRY_MAX_MS; ; ) {
    const reply = await sendRequest(server, key, request);
    const isUnderWay = reply.status === 503 || reply.body.includes("idempotency_in_progress");
    if (!isUnderWay || performance.now() > endsAt) return reply;
    await Bun.sleep(RETRY_PAUSE_MS);
  }
}
