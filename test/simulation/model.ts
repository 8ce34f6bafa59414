import type { Int64 } from "exact-json/int64";
import { writeJson } from "../../src/contract/json/json.ts";
import type { Log, LoggedEvent } from "../events/log.ts";
import type { Answer, World } from "./world.ts";

export interface Pet {
  readonly id: number;
  name: string;
  categoryId: Int64;
  status: string | null;
  isRemoved: boolean;
  /** Its open order. */
  order: number | undefined;
  /** Number of requests about it that are under way, or whose outcome is unknown. */
  busy: number;
}

/** A request of the workload, and what the model expects of it. */
export interface Operation {
  readonly request: string;
  readonly body?: object;
  readonly idempotencyKey?: string;
  /** Statuses that are right; the first one that is below 300 is success. */
  readonly expected: readonly number[];
  readonly message?: string;
  /** Types of the events of its success, in order. */
  readonly events: readonly string[];
  /** Changes the model, as the success changes the store. */
  apply?(answer: { readonly id: number }): void;
  /** Looks at an answer beyond its status. */
  check?(answer: Answer): void;
  /** Called once the outcome is known. */
  done?(): void;
}

/** A success under an `Idempotency-Key`, and the world's `elapsed` at it. */
export interface Recorded {
  readonly operation: Operation;
  readonly text: string;
  readonly at: number;
}

const RECORDED_MAX = 40;
/** The contract's, not a constant of the service: a wrong one shall be found. */
export const RETENTION_MS = 24 * 3_600_000;

/** Expected content of the store after the answered requests, and the events that they must have made. */
export function createModel(world: World, report: (fault: string) => void) {
  const pets = new Map<number, Pet>();
  const orders = new Map<number, { readonly petId: number; isComplete: boolean }>();
  const categories = new Map<number, { readonly name: string; readonly description: string | null }>();
  const recorded: Recorded[] = [];
  const unknown = new Map<string, Operation>();
  const due = new Map<string, readonly string[]>();
  const trace = new Bun.CryptoHasher("sha256");
  let requests = 0;

  /** Sends an operation, and compares its answer. */
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

  function settle(id: string, operation: Operation, { status, text, headers, body }: Answer): void {
    const { request, expected, message, events, idempotencyKey } = operation;
    if (!expected.includes(status))
      report(
        `${request} ${writeJson(operation.body)} was answered ${status} instead of ${expected}: ${text}`,
      );
    else if (status >= 400 && message !== undefined && body["message"] !== message)
      report(`${request} was refused with “${body["message"]}” instead of “${message}”`);
    operation.check?.({ status, text, headers, body });
    const isDone = status < 300 && headers.get("Idempotent-Replayed") === null;
    due.set(id, isDone ? events : []);
    if (isDone) operation.apply?.({ id: Number(body["id"]) });
    if (isDone && idempotencyKey !== undefined) record(operation, text);
    operation.done?.();
  }

  function record(operation: Operation, text: string): void {
    recorded.push({ operation, text, at: world.elapsed });
    if (recorded.length > RECORDED_MAX) recorded.shift();
  }

  /** Finds in the log whether requests without an answer were done, and sends those with a key again. */
  async function resolve(log: Log): Promise<void> {
    const told = Map.groupBy(log.events, ({ requestId }) => requestId);
    const again: Operation[] = [];
    for (const [id, operation] of [...unknown]) {
      unknown.delete(id);
      const [first] = told.get(id) ?? [];
      due.set(id, first === undefined ? [] : operation.events);
      if (first !== undefined && !operation.expected.some((status) => status < 300))
        report(`${operation.request} was done, though it had to be refused with ${operation.expected}`);
      if (first !== undefined) operation.apply?.({ id: idOf(first) });
      operation.done?.();
      if (operation.idempotencyKey === undefined || operation.events.length === 0) continue;
      if (first === undefined && operation.expected.length === 1) again.push(operation);
      if (first !== undefined) again.push(replayOf(operation));
    }
    for (const operation of again) await run(operation);
  }

  /** Repeats a request, whose first answer must be repeated. @param first its text, where one was seen */
  function replayOf(operation: Operation, first?: string): Operation {
    const { request } = operation;
    const expected = operation.expected.filter((status) => status < 300);
    return {
      ...{ ...operation, expected, events: [] },
      check({ text }) {
        if (first !== undefined && text !== first)
          report(`${request} was repeated as ${text}, acknowledged as ${first}`);
      },
      apply: ({ id }) => report(`${request} was done again under its Idempotency-Key, as ${id}`),
      done: () => {},
    };
  }

  /** Compares the log and the tables with the model. */
  function compare(log: Log): void {
    const told = Map.groupBy(log.events, ({ requestId }) => requestId);
    for (const [id, types] of due) {
      const found = (told.get(id) ?? []).map(({ type }) => type);
      if (found.join() !== types.join()) report(`${id} has the events [${found}] instead of [${types}]`);
    }
    for (const id of told.keys()) if (!due.has(id)) report(`${id} has events, and is no request`);
    for (const { id, actor } of log.events)
      if (actor.join() !== `key,${world.keyId},test`) report(`event ${id} is told of ${actor}`);
    const expected = expectedResources();
    for (const name of new Set([...expected.keys(), ...log.resources.keys()])) {
      const [stored, modelled] = [log.resources.get(name), expected.get(name)];
      const isSame = Object.entries(modelled ?? {}).every(
        ([member, value]) => String(stored?.[member] ?? null) === String(value),
      );
      if (stored === undefined || modelled === undefined || !isSame)
        report(`${name} is ${writeJson(stored ?? null)}, acknowledged as ${writeJson(modelled ?? null)}`);
    }
  }

  function expectedResources(): ReadonlyMap<string, object> {
    const alive = [...pets.values()].filter(({ isRemoved }) => !isRemoved);
    return new Map<string, object>([
      ...alive.map(
        ({ id, name, categoryId, status }) => [`pet ${id}`, { name, categoryId, status }] as const,
      ),
      ...[...orders].map(
        ([id, { petId, isComplete }]) => [`order ${id}`, { petId, complete: isComplete }] as const,
      ),
      ...[...categories].map(([id, category]) => [`category ${id}`, category] as const),
    ]);
  }

  return { pets, orders, categories, recorded, run, replayOf, resolve, compare, report, trace };
}

export type Model = ReturnType<typeof createModel>;

function idOf({ resource }: LoggedEvent): number {
  return Number(resource.split(" ")[1]);
}
