import { parseJson } from "../../src/contract/json/json.ts";
import { HOUR_MS } from "../../src/limits.ts";
import type { Log } from "../events/log.ts";
import { until } from "../until.ts";
import { nextTurn, type World } from "./world.ts";

const URL = "http://127.0.0.1:9999/hook";
/**
 * The receiver refuses a delivery at most this many times in a row. After more failed attempts, the service would give up the
 * delivery.
 */
const REFUSALS_MAX = 4;
/** The number of turns of the event loop after which a background worker has certainly reached its next statement. */
const TURNS_AT_REST = 20;

/** Receives the deliveries of a webhook. Answers some of them late, refuses some at random, and remembers all of them. */
export function receiveDeliveries(world: World, report: (fault: string) => void) {
  const random = world.random.split();
  const sent: { readonly id: number; readonly subject: string; readonly status: number }[] = [];
  const refusals = new Map<number, number>();
  let underWay = 0;

  async function receive(body: string, signal: AbortSignal | null | undefined): Promise<Response> {
    const born = world.life;
    const { id, type, data } = Object(parseJson(body));
    const subject = type.startsWith("category.") ? `category ${data.id}` : `pet ${data.petId ?? data.id}`;
    for (let turns = random.between(0, 3); turns > 0; turns--) await nextTurn();
    signal?.throwIfAborted();
    if (world.isFaulty || born !== world.life) throw new Error("The process that asked is gone.");
    const refused = refusals.get(id) ?? 0;
    const isRefused = refused < REFUSALS_MAX && random.chance(0.3);
    if (isRefused) refusals.set(id, refused + 1);
    const status = isRefused ? random.pick([302, 404, 429, 500, 503]) : 204;
    sent.push({ id, subject, status });
    return new Response(null, { status });
  }

  const { fetch } = globalThis;
  globalThis.fetch = Object.assign(
    async (...[input, init]: Parameters<typeof fetch>) => {
      if (String(input) !== URL) return fetch(input, init);
      underWay++;
      return receive(String(init?.body), init?.signal).finally(() => underWay--);
    },
    { preconnect: fetch.preconnect },
  );

  const missing = (log: Log) => {
    const accepted = new Set(sent.filter(({ status }) => status === 204).map(({ id }) => id));
    return log.events.filter(({ id }) => !accepted.has(Number(id)));
  };
  /**
   * Waits until all running delivery attempts have ended and their outcomes are stored. The clock must not advance before that,
   * because the attempts would expire.
   */
  async function rest(): Promise<void> {
    const isIdle = () => underWay === 0 && !world.isBusy();
    for (let turn = 0; turn < TURNS_AT_REST; turn++) {
      if (!isIdle()) turn = 0;
      await until(isIdle);
      await nextTurn();
    }
  }

  /**
   * Reports each webhook delivery that was out of order: an earlier event of the same animal had not been delivered yet, or a later
   * one had already been delivered.
   */
  function checkOrder(): void {
    for (const [subject, ofOne] of Map.groupBy(sent, (each) => each.subject)) {
      const accepted = new Set<number>();
      let newest = 0;
      for (const { id, status } of ofOne) {
        if (id < newest) report(`event ${id} of ${subject} was sent after its event ${newest}`);
        if (id > newest && newest > 0 && !accepted.has(newest))
          report(`event ${id} of ${subject} was sent before its event ${newest} had been delivered`);
        if (status === 204) accepted.add(id);
        newest = id;
      }
    }
  }

  return {
    url: URL,
    rest,
    /** Waits for all webhook deliveries that are due, and reports events that were never delivered. */
    async check(log: Log): Promise<void> {
      for (let hours = 0; hours < 200 && missing(log).length > 0; hours++) {
        await rest();
        await world.advance(hours < 10 ? 1_000 : HOUR_MS);
        await rest();
      }
      for (const { id, type } of missing(log)) report(`event ${id}, ${type}, was never delivered`);
      checkOrder();
    },
    close() {
      globalThis.fetch = fetch;
    },
  };
}
