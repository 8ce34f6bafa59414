import { ACQUIRE_DEADLINE_MS, COMMIT_BATCH_MAX, STORE_QUEUE_MAX } from "../../limits.ts";
import { startDeadline } from "../../platform/deadline.ts";
import { AcquireTimeoutError } from "../../platform/semaphore.ts";
import type { BeforeSending } from "../database.ts";
import type { NamedValues, Statement, Values } from "../statement.ts";
import { isRefusal } from "./errors.ts";

export const COMMIT_BATCH_CHARACTERS_MAX = 1024 * 1024; // maximum number of characters in all values of a statement that makes several changes; the values of a single change may be longer

/** The server's answer for one change. `place` is the position of the change in its group, counted from 1. */
export type Placed<Answer> = readonly [place: number, answer: Answer];

export interface Group<Answer> {
  /** A statement that makes all changes of the group. It returns no row for a change that was not made. */
  readonly statement: Statement<readonly string[], Placed<Answer>>;
  readonly values: readonly string[];
  readonly appends: boolean;
}

export interface GroupQueueOptions {
  /**
   * Waits for a semaphore's permit, and then runs `work`, which sends statements one after another. Rejects without running
   * `work` if there is no permit in time.
   */
  readonly withPermit: (work: () => Promise<void>) => Promise<void>;
  readonly run: <Answer>(group: Group<Answer>, changes: number) => Promise<readonly Placed<Answer>[]>;
  /** Called for each change that is refused before it is sent, with the number of seconds that the change has waited. */
  readonly onRefused: (seconds: number) => void;
}

interface Change {
  readonly values: Values;
  readonly entry?: NamedValues | undefined;
}

/**
 * A change to make, with the functions that report the result to its caller. The result is an empty list if the change was not
 * made.
 */
interface Job<Given extends Change, Answer> {
  readonly change: Given;
  readonly beforeSending: BeforeSending | undefined;
  readonly endDeadline: (() => void) | undefined;
  resolve(answer: readonly Answer[]): void;
  reject(error: unknown): void;
}

export type GroupQueue<Given, Answer> = (
  change: Given,
  beforeSending: BeforeSending | undefined,
) => Promise<readonly Answer[]>;

/**
 * Creates a queue for changes of the same kind. If no statement is running, a change is sent immediately. Changes that arrive while
 * a statement is running are sent together in the next one.
 */
export function createGroupQueue<Given extends Change, Answer>(
  groupOf: (changes: readonly Given[]) => Group<Answer>,
  { withPermit, run, onRefused }: GroupQueueOptions,
): GroupQueue<Given, Answer> {
  const waiting = new Set<Job<Given, Answer>>();
  let isSending = false;

  async function sendAll() {
    isSending = true;
    while (waiting.size > 0) {
      try {
        await withPermit(() => send(takeGroup(waiting)));
      } catch (error) {
        for (const job of takeGroup(waiting)) job.reject(error);
      }
    }
    isSending = false;
  }

  /**
   * Sends a group of changes. If the server refuses the group, it is divided in half again and again, until the change that causes
   * the refusal is alone. The other changes keep their order. Never throws.
   */
  async function send(group: readonly Job<Given, Answer>[]) {
    if (group.length === 0) return;
    try {
      const answers = new Map(await run(groupOf(group.map(({ change }) => change)), group.length));
      for (const [index, job] of group.entries()) {
        const place = index + 1;
        job.resolve(answers.has(place) ? [answers.get(place) as Answer] : []);
      }
    } catch (error) {
      if (group.length > 1 && isRefusal(error)) {
        const half = group.length >> 1;
        await send(group.slice(0, half));
        return send(group.slice(half));
      }
      for (const job of group) job.reject(error);
    }
  }

  /** Refuses a waiting change when its time is up. The running statement may take longer than a request is allowed to wait. */
  function limitWait(refuse: () => void): () => void {
    const startedAt = performance.now();
    return startDeadline(ACQUIRE_DEADLINE_MS, () => {
      onRefused((performance.now() - startedAt) / 1000);
      refuse();
    });
  }

  return (change, beforeSending) => {
    if (waiting.size >= STORE_QUEUE_MAX) {
      onRefused(0);
      return Promise.reject(new AcquireTimeoutError("too many statements are waiting"));
    }
    const { promise, resolve, reject } = Promise.withResolvers<readonly Answer[]>();
    const endDeadline = isSending
      ? limitWait(() => {
          waiting.delete(job);
          reject(new AcquireTimeoutError(`the statement could not be sent within ${ACQUIRE_DEADLINE_MS} ms`));
        })
      : undefined;
    const job: Job<Given, Answer> = { change, beforeSending, endDeadline, resolve, reject };
    waiting.add(job);
    if (!isSending) void sendAll();
    return promise;
  };
}

/**
 * Takes jobs from the front of the queue, as many as fit in one statement. Jobs whose callers have stopped waiting are rejected.
 */
function takeGroup<Given extends Change, Answer>(
  waiting: Set<Job<Given, Answer>>,
): readonly Job<Given, Answer>[] {
  const group: Job<Given, Answer>[] = [];
  let characters = 0;
  for (const job of waiting) {
    characters += charactersIn(job.change.values) + charactersIn(job.change.entry);
    const isFull = group.length === COMMIT_BATCH_MAX || characters > COMMIT_BATCH_CHARACTERS_MAX;
    if (isFull && group.length > 0) break;
    waiting.delete(job);
    job.endDeadline?.();
    try {
      job.beforeSending?.();
      group.push(job);
    } catch (error) {
      job.reject(error);
    }
  }
  return group;
}

function charactersIn(values: Values = {}): number {
  let characters = 0;
  for (const value of Object.values(values)) if (typeof value === "string") characters += value.length;
  return characters;
}
