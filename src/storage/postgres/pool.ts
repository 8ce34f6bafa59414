import { ACQUIRE_DEADLINE_MS } from "../../limits.ts";
import { withDeadline } from "./deadline.ts";
import { NotConnectedError } from "./errors.ts";
import type { Connection } from "./session.ts";

export interface PooledConnection extends Connection {
  /** Reserves the connection until the server has sent this answer; nothing else is sent on it. */
  waitFor(answer: Promise<unknown>): void;
}

type Work<Result> = (connection: PooledConnection) => Promise<Result>;

interface Place {
  connection: PooledConnection | undefined;
  opening: Promise<PooledConnection> | undefined;
  underWay: number;
}

/** Creates a pool of connections. @param onUnanswered called if a server misses a deadline */
export function createPool(size: number, connect: () => Promise<Connection>, onUnanswered: () => void) {
  const places = Array.from({ length: size }, emptyPlace);

  /** Place of the connection with the least work; the first is preferred, where statements are prepared already. */
  function placeWithLeast(workMax: number) {
    let least: Place | undefined;
    for (const place of places) {
      const isUsable = (place.connection?.unanswered.size ?? 0) === 0 && place.underWay <= workMax;
      if (isUsable && place.underWay < (least?.underWay ?? Number.POSITIVE_INFINITY)) least = place;
    }
    if (least !== undefined) return least;
    onUnanswered();
    throw new NotConnectedError("The database server does not answer.");
  }
  async function open(place: Place) {
    const connection = await connect();
    place.connection = {
      ...connection,
      waitFor(answer) {
        onUnanswered();
        connection.unanswered.add(answer);
        const end = () => void connection.unanswered.delete(answer);
        answer.then(end, end);
      },
    };
    void connection.closed.then(() => {
      place.connection = undefined;
    });
    return place.connection;
  }
  async function opened(place: Place) {
    place.opening ??= open(place).finally(() => {
      place.opening = undefined;
    });
    try {
      return await withDeadline(place.opening, ACQUIRE_DEADLINE_MS);
    } catch (error) {
      throw new NotConnectedError(`There is no connection to the database server: ${error}`);
    }
  }
  async function workWithLeast<Result>(workMax: number, work: Work<Result>): Promise<Result> {
    const place = placeWithLeast(workMax);
    place.underWay++;
    try {
      return await work(place.connection ?? (await opened(place)));
    } finally {
      place.underWay--;
    }
  }

  return {
    /** Runs `work` on the connection with the least work. @throws NotConnectedError */
    share: <Result>(work: Work<Result>) => workWithLeast(Number.POSITIVE_INFINITY, work),
    take: <Result>(work: Work<Result>) => workWithLeast(0, work),
    async close() {
      await Promise.allSettled(places.map(({ opening }) => opening));
      await Promise.all(places.map(({ connection }) => connection?.close()));
    },
  };
}

/** A fixed number of connections, each opened at its first use, and again after it was closed. */
export type ConnectionPool = ReturnType<typeof createPool>;

function emptyPlace(): Place {
  return { connection: undefined, opening: undefined, underWay: 0 };
}
