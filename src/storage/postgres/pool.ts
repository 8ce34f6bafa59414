import { ACQUIRE_DEADLINE_MS } from "../../limits.ts";
import { withDeadline } from "./deadline.ts";
import { NotConnectedError, ReadOnlyError } from "./errors.ts";
import type { Connection } from "./session.ts";

const OPENING_PAUSE_MS = 1_000; // pause after a failed attempt to open a connection, before the next attempt
/**
 * The normal use of a pool's connections. Only the first `connections` of them are used, until each has `statements` running
 * statements. Then another connection is used. With one connection, a slow statement would delay all others. With more than two,
 * the server would have more work, because it runs many statements most cheaply on few connections.
 */
const PIPELINE = { connections: 2, statements: 32 } as const;

export interface PooledConnection extends Connection {
  /** Marks the connection as waiting: nothing more is sent on it until the server has sent `answer`. */
  waitFor(answer: Promise<unknown>): void;
  /** Sends nothing more on the connection, and closes it when the server has answered everything that was sent. */
  retire(): void;
}

type Work<Result> = (connection: PooledConnection) => Promise<Result>;

interface Member {
  readonly connection: PooledConnection;
  underWay: number;
}

/**
 * Creates a pool that opens its connections when they are needed. If the server allows fewer connections than the size of the pool,
 * work waits for a connection that is already open.
 *
 * @param onUnanswered called when the server misses a deadline
 */
export function createPool(size: number, connect: () => Promise<Connection>, onUnanswered: () => void) {
  const { members, openings, start, wake, change } = createMembers(connect, onUnanswered);
  let opensAt = Number.NEGATIVE_INFINITY;

  const mayOpenMore = () =>
    members.size + openings.size < size && (members.size === 0 || performance.now() >= opensAt);
  const isEveryOneUnanswered = () =>
    openings.size === 0 && [...members].every(({ connection }) => connection.unanswered.size > 0);
  function startOpening() {
    const opening = start();
    opening.catch(() => {
      opensAt = performance.now() + OPENING_PAUSE_MS;
    });
    return opening;
  }
  async function opened(endsAt: number): Promise<void> {
    try {
      await withDeadline(startOpening(), endsAt - performance.now());
    } catch (error) {
      if (members.size === 0) throw asNotConnected(error);
    }
  }
  /**
   * Takes the least busy connection that has at most `workMax` running statements. If there is none, opens another connection. If
   * no more may be opened, waits.
   */
  async function acquire(workMax: number): Promise<Member> {
    const endsAt = performance.now() + ACQUIRE_DEADLINE_MS;
    for (;;) {
      const member = leastBusy(members, workMax);
      if (member !== undefined) {
        member.underWay++;
        // Opens another connection in advance, so that the next statement does not have to wait for this one.
        const hasOthers = members.size >= PIPELINE.connections && member.underWay <= PIPELINE.statements;
        if (member.underWay > 1 && !hasOthers && openings.size === 0 && mayOpenMore()) startOpening();
        return member;
      }
      if (mayOpenMore()) await opened(endsAt);
      else if (isEveryOneUnanswered()) {
        onUnanswered();
        throw new NotConnectedError("The database server does not answer.");
      } else await change(endsAt);
    }
  }
  async function workWithLeast<Result>(workMax: number, work: Work<Result>): Promise<Result> {
    const member = await acquire(workMax);
    try {
      return await work(member.connection);
    } finally {
      member.underWay--;
      if (member.underWay === 0 && !members.has(member)) void member.connection.close();
      wake();
    }
  }

  return {
    /** Runs `work` on the least busy connection. @throws NotConnectedError */
    share: <Result>(work: Work<Result>) => workWithLeast(Number.POSITIVE_INFINITY, work),
    take: <Result>(work: Work<Result>) => workWithLeast(0, work),
    /** Counts the open connections, and those among them that are not waiting for a late answer. */
    count: () => ({
      open: members.size,
      answering: [...members].filter(({ connection }) => connection.unanswered.size === 0).length,
    }),
    async close() {
      await Promise.allSettled(openings);
      await Promise.all([...members].map(({ connection }) => connection.close()));
    },
  };
}

/**
 * Returns the least busy connection. Normally, only the first two usable connections are compared, because most statements are
 * already prepared there. A third one is considered only if both have `PIPELINE.statements` running statements, and so on. If
 * several are equally busy, returns the first of them.
 */
function leastBusy(members: Iterable<Member>, workMax: number): Member | undefined {
  let least: Member | undefined;
  let usable = 0;
  for (const member of members) {
    if (member.connection.unanswered.size > 0 || member.underWay > workMax) continue;
    if (member.underWay < (least?.underWay ?? Number.POSITIVE_INFINITY)) least = member;
    usable++;
    if (usable >= PIPELINE.connections && (least?.underWay ?? 0) < PIPELINE.statements) break;
  }
  return least;
}

/** Keeps track of the pool's open connections, of connections that are being opened, and of callers who wait for a connection. */
function createMembers(connect: () => Promise<Connection>, onUnanswered: () => void) {
  const members = new Set<Member>();
  const openings = new Set<Promise<Member>>();
  const waiting = new Set<PromiseWithResolvers<void>>();

  function wake() {
    for (const { resolve } of waiting) resolve();
  }
  async function open(): Promise<Member> {
    const connection = await connect();
    const waitFor = (answer: Promise<unknown>) => {
      onUnanswered();
      connection.unanswered.add(answer);
      const end = () => {
        connection.unanswered.delete(answer);
        wake();
      };
      answer.then(end, end);
    };
    const retire = () => void members.delete(member);
    const member: Member = { connection: { ...connection, waitFor, retire }, underWay: 0 };
    members.add(member);
    void connection.closed.then(() => {
      members.delete(member);
      wake();
    });
    return member;
  }

  return {
    members,
    openings,
    wake,
    /** Opens a connection. If that fails while the pool has no open connection, all waiting callers get the error. */
    start(): Promise<Member> {
      const opening = open();
      openings.add(opening);
      const fail = (error: unknown) => {
        if (members.size === 0) for (const { reject } of waiting) reject(error);
      };
      opening.then(wake, fail).finally(() => openings.delete(opening));
      return opening;
    },
    /** Waits until a connection is opened, closed or released. @throws NotConnectedError if nothing happens before `endsAt` */
    async change(endsAt: number): Promise<void> {
      const waiter = Promise.withResolvers<void>();
      waiting.add(waiter);
      try {
        await withDeadline(waiter.promise, endsAt - performance.now());
      } catch (error) {
        throw asNotConnected(error);
      } finally {
        waiting.delete(waiter);
      }
    },
  };
}

function asNotConnected(error: unknown): Error {
  if (error instanceof ReadOnlyError) return error;
  return new NotConnectedError(`There is no free connection to the database server: ${error}`);
}

/** A limited number of connections, each of which is opened when it is first needed. */
export type ConnectionPool = ReturnType<typeof createPool>;
