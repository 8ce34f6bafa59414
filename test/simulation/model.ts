import { writeJson } from "../../src/contract/json/json.ts";
import type { Log } from "../events/log.ts";
import type { Answer, World } from "./world.ts";

type Members = Readonly<Record<string, unknown>>;

/** A request to the service, and the outcome that the model expects. */
export interface Operation {
  readonly request: string;
  readonly body?: object;
  readonly idempotencyKey?: string;
  /** The statuses that a correct response can have. */
  readonly expected: readonly number[];
  /** The types of the events that the request causes if it succeeds, in order. */
  readonly events: readonly string[];
  /** Makes the change in the model that the successful request makes in the store. */
  apply?(id: number): void;
  check?(answer: Answer): void;
}

const RECORDED_MAX = 40;

/** A model of the store: what it must contain after the answered requests, and which events these requests must have caused. */
export function createModel(world: World, report: (fault: string) => void) {
  /** The members of each animal, category and order, keyed by names such as `pet 7`. */
  const resources = new Map<string, Members>();
  /** The successful requests with an `Idempotency-Key`. `at` is how long the service had run at the time of the request. */
  const recorded: { readonly operation: Operation; readonly text: string; readonly at: number }[] = [];
  const unknown = new Map<string, Operation>();
  /** The types of the events that a request must cause, keyed by the identifier of the request. */
  const due = new Map<string, readonly string[]>();
  const trace = new Bun.CryptoHasher("sha256");
  let requests = 0;

  /** Sends a request to the service, and compares the response with what the model expects. */
  async function run(operation: Operation): Promise<Answer | undefined> {
    const id = `r${++requests}`;
    const { request, body, idempotencyKey } = operation;
    unknown.set(id, operation);
    const answer = await world.call("production", request, body, {
      "X-Request-Id": id,
      ...(idempotencyKey !== undefined && { "Idempotency-Key": idempotencyKey }),
    });
    trace.update(`${id} ${answer?.status} ${answer?.text};`);
    if (answer === undefined) return undefined;
    unknown.delete(id);
    settle(id, operation, answer);
    return answer;
  }

  function settle(id: string, operation: Operation, answer: Answer): void {
    const { request, expected, events, idempotencyKey } = operation;
    const { status, text, body } = answer;
    if (!expected.includes(status))
      report(
        `${request} ${writeJson(operation.body)} was answered ${status} instead of ${expected}: ${text}`,
      );
    operation.check?.(answer);
    const isDone = status < 300 && !answer.headers.has("Idempotent-Replayed");
    due.set(id, isDone ? events : []);
    if (!isDone) return;
    operation.apply?.(Number(body["id"]));
    if (idempotencyKey !== undefined) recorded.push({ operation, text, at: world.elapsed });
    if (recorded.length > RECORDED_MAX) recorded.shift();
  }

  /**
   * Finds out from the event log which of the requests without a response were executed. Sends those with an idempotency key again.
   */
  async function resolve(log: Log): Promise<void> {
    const again: Operation[] = [];
    for (const [id, operation] of unknown) {
      const { request, idempotencyKey, expected, events, apply } = operation;
      const done = log.events.find(({ requestId }) => requestId === id);
      due.set(id, done === undefined ? [] : events);
      if (done !== undefined && !expected.some((status) => status < 300))
        report(`${request} was done, though it had to be refused with ${expected}`);
      if (done !== undefined) apply?.(Number(done.resource.split(" ")[1]));
      if (idempotencyKey === undefined || events.length === 0) continue;
      if (done !== undefined) again.push(replayOf(operation));
      else if (expected.length === 1) again.push(operation);
    }
    unknown.clear();
    for (const operation of again) await run(operation);
  }

  /**
   * Returns the same request with its idempotency key. The second response must be the same as the first.
   *
   * @param first the text of the first response, if it arrived
   */
  function replayOf(operation: Operation, first?: string): Operation {
    const { request } = operation;
    const expected = operation.expected.filter((status) => status < 300);
    return {
      ...{ ...operation, expected, events: [] },
      check({ text }) {
        if (first !== undefined && text !== first)
          report(`${request} was repeated as ${text}, acknowledged as ${first}`);
      },
      apply: (id) => report(`${request} was done again under its Idempotency-Key, as ${id}`),
    };
  }

  function compare(log: Log): void {
    const told = Map.groupBy(log.events, ({ requestId }) => requestId);
    for (const [id, types] of due) {
      const found = (told.get(id) ?? []).map(({ type }) => type);
      if (found.join() !== types.join()) report(`${id} has the events [${found}] instead of [${types}]`);
    }
    for (const { id, actor, requestId } of log.events)
      if (!due.has(requestId) || actor.join() !== `key,${world.keyId},test`)
        report(`event ${id} is told of ${requestId} by ${actor}`);
    for (const name of new Set([...resources.keys(), ...log.resources.keys()])) {
      const [stored, modelled] = [log.resources.get(name), resources.get(name)];
      const isSame = Object.entries(modelled ?? {}).every(
        ([member, value]) => String(stored?.[member] ?? null) === String(value),
      );
      if (stored === undefined || modelled === undefined || !isSame)
        report(`${name} is ${writeJson(stored ?? null)}, acknowledged as ${writeJson(modelled ?? null)}`);
    }
  }

  return { resources, recorded, run, replayOf, resolve, compare, report, trace };
}

export type Model = ReturnType<typeof createModel>;
