import { type Reply, type Server, send } from "../wire/server.ts";
import type { Ledger } from "./ledger.ts";
import type { Random } from "./random.ts";
import { nextWish, type Share, type Wish } from "./wishes.ts";

export interface Client {
  /** Asks for one thing after the other until `isOver`, or until something is not answered as it should be. */
  run(server: Server, isOver: () => boolean): Promise<void>;
  /** Finds out what came of what was not answered. */
  resolve(server: Server): Promise<void>;
}

interface ClientOptions {
  readonly name: string;
  /** An API key. */
  readonly key: string;
  readonly ledger: Ledger;
  readonly random: Random;
  readonly nextTag: () => number;
}

/** How often it is asked again while the first attempt is still under way. */
const RETRIES_MAX = 200;
const RETRY_PAUSE_MS = 50;
/** So often what was answered is asked for once more, with the same key. */
const REPEATED = 0.1;

export function createClient({ name, key, ledger, random, nextTag }: ClientOptions): Client {
  const share: Share = { client: name, ledger, random, nextTag, available: [], open: [], wishes: 0 };
  let unanswered: Wish | undefined;

  function settle(wish: Wish, reply: Reply): void {
    unanswered = undefined;
    wish.onDone(reply);
    ledger.acknowledged++;
  }
  function misanswered({ method, path, body = "" }: Wish, reply: Reply): void {
    unanswered = undefined;
    ledger.blame("misanswered", `${method} ${path} ${body} was answered ${reply.status} ${reply.body}`);
  }

  /** Whether it was answered as it should be. */
  async function askFor(server: Server, wish: Wish): Promise<boolean> {
    const reply = await answerTo(server, key, wish);
    if (reply === undefined) return false;
    if (!wish.done.includes(reply.status)) {
      misanswered(wish, reply);
      return false;
    }
    settle(wish, reply);
    if (wish.idempotencyKey === undefined || !random.chance(REPEATED)) return true;
    const again = await answerTo(server, key, wish);
    if (again === undefined) return false;
    const isReplayed = again.body === reply.body && again.headers.get("Idempotent-Replayed") === "true";
    if (!isReplayed) misanswered(wish, again);
    return isReplayed;
  }

  return {
    async run(server, isOver) {
      while (!isOver()) {
        unanswered = nextWish(share);
        if (!(await askFor(server, unanswered))) return;
      }
    },
    async resolve(server) {
      const wish = unanswered;
      if (wish === undefined) return;
      const isKeyed = wish.idempotencyKey !== undefined;
      if (!isKeyed && wish.onLost !== undefined) return wish.onLost();
      const reply = await askUntilSettled(server, key, wish);
      const { done, doneBefore = done } = wish;
      const isDone = (isKeyed ? done : doneBefore).includes(reply.status);
      (isDone ? settle : misanswered)(wish, reply);
    },
  };
}

function ask(server: Server, key: string, wish: Wish): Promise<Reply> {
  const { method, service, path, body, idempotencyKey } = wish;
  return send(method, server[service] + path, {
    key,
    ...(body === undefined ? {} : { body }),
    headers: idempotencyKey === undefined ? {} : { "Idempotency-Key": idempotencyKey },
  });
}

/** Undefined when nobody answers, or 503 says that nobody can: what came of it is found out later. */
async function answerTo(server: Server, key: string, wish: Wish): Promise<Reply | undefined> {
  const reply = await ask(server, key, wish).catch(() => undefined);
  return reply?.status === 503 ? undefined : reply;
}

async function askUntilSettled(server: Server, key: string, wish: Wish): Promise<Reply> {
  for (let retry = 0; ; retry++) {
    const reply = await ask(server, key, wish);
    const isUnderWay = reply.status === 503 || reply.body.includes("idempotency_in_progress");
    if (!isUnderWay || retry >= RETRIES_MAX) return reply;
    await Bun.sleep(RETRY_PAUSE_MS);
  }
}
