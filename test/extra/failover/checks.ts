import type { BrowserSession } from "../../wire/browser-session.ts";
import { persist, send } from "../../wire/send.ts";
import type { Server } from "../../wire/server.ts";
import type { Ledger } from "../crash/ledger.ts";

/** The maximum time until all processes refuse a revoked API key. */
const REVOKED_WITHIN_MS = 1_000;
/**
 * While the test runs, it tries only this many API keys, those that were revoked most recently. At the end, `tryAll` tries all of
 * them.
 */
const KEYS_TRIED = 10;

export interface Check {
  readonly servers: readonly Server[];
  readonly key: string;
  readonly ledger: Ledger;
  readonly isOver: () => boolean;
}

/** Numbers of responses that contradict what any process acknowledged earlier. */
export interface Contradictions {
  staleReads: number;
  revokedAdmitted: number;
}

/**
 * Adds animals through one process. After each animal, reads the list of animals from every process, and expects the new animal to
 * be the first.
 *
 * @param categoryId the category of the added animals; the lists show only this category
 * @param onAcknowledged called after each animal
 */
export async function watchReads(
  { servers, key, ledger, isOver }: Check,
  home: Server,
  categoryId: number,
  found: Contradictions,
  onAcknowledged: () => void,
): Promise<void> {
  for (let count = 1; !isOver(); count++) {
    const name = `witness ${categoryId}-${count}`;
    const reply = await persist(() =>
      send("POST", `${home.production}/pets`, {
        key,
        body: JSON.stringify({ name, categoryId, status: "available" }),
        headers: { "Idempotency-Key": name.replaceAll(" ", "-") },
      }),
    );
    if (reply.status !== 201)
      return ledger.report("misanswered", `${name} was answered ${reply.status} ${reply.body}`);
    const { id } = reply.json;
    ledger.assign("pet", id, name);
    ledger.pets.set(name, { id, status: "available" });
    ledger.acknowledged++;
    onAcknowledged();
    for (const { production } of servers) {
      const list = await send("GET", `${production}/pets?limit=1&categoryId=${categoryId}`, { key });
      if (list.status === 503) continue;
      const isCurrent = list.status === 200 && list.json[0]?.id === id;
      if (!isCurrent) found.staleReads++;
    }
  }
}

export interface Revocations {
  /** Creates and revokes API keys, and tries to use the revoked ones. */
  run(check: Check): Promise<void>;
  /** Checks that the service still refuses every revoked API key. */
  tryAll(servers: readonly Server[]): Promise<void>;
}

export function createRevocations(browser: BrowserSession, found: Contradictions): Revocations {
  const revoked: string[] = [];

  async function tryKeys(servers: readonly Server[], keys: readonly string[]): Promise<void> {
    const replies = keys.flatMap((key) =>
      servers.map(({ production }) => send("GET", `${production}/pets?limit=1`, { key })),
    );
    for (const { status } of await Promise.all(replies))
      if (status !== 401 && status !== 503) found.revokedAdmitted++;
  }

  return {
    async run({ servers, ledger, isOver }) {
      while (!isOver()) {
        const made = await persist(() => browser.call("POST /keys", { name: "to be revoked" }));
        if (made.status !== 201)
          return ledger.report("misanswered", `a key was answered ${made.status} ${made.body}`);
        const { token, key } = made.json;
        // Sends a request with the API key to each process, so that every process has the key in its cache.
        for (const { production } of servers)
          await persist(() => send("GET", `${production}/pets?limit=1`, { key: token }));
        const { status, body } = await persist(() => browser.call(`DELETE /keys/${key.id}`));
        if (status !== 204)
          return ledger.report("misanswered", `a revocation was answered ${status} ${body}`);
        ledger.acknowledged++;
        await tryKeys(servers.slice(0, 1), [token]);
        await Bun.sleep(REVOKED_WITHIN_MS);
        revoked.push(token);
        await tryKeys(servers, revoked.slice(-KEYS_TRIED));
      }
    },
    tryAll: (servers) => tryKeys(servers, revoked),
  };
}
