import type { ReservedSQL } from "bun";
import { CONNECT_DEADLINE_SECONDS } from "../../limits.ts";
import { withDeadline } from "./deadline.ts";
import { unlessUnsupported } from "./errors.ts";

const LATE_ANSWER_WAIT_MS = 250; // time for a late answer to arrive after the server has reported its process as idle; after that time, the connection is closed

/** SQL for the process number of a server process, together with its start time, because containers reuse process numbers. */
const BACKEND = "concat(pid, ' ', extract(epoch FROM backend_start))";
const SELECT_BACKEND = `SELECT ${BACKEND} AS backend FROM pg_stat_activity WHERE pid = pg_backend_pid()`;
const SELECT_AT_WORK = `SELECT ${BACKEND} AS backend FROM pg_stat_activity WHERE coalesce(state, '') NOT LIKE 'idle%'`;

interface Served {
  readonly server: string;
  readonly backend: string | undefined;
  readonly unanswered: ReadonlySet<Promise<unknown>>;
  close(): Promise<void>;
}

/**
 * Identifies the server process at the other end of a reserved connection, by its process number and start time. Returns undefined
 * if the server does not reveal them.
 */
export async function backendOf(sql: ReservedSQL): Promise<string | undefined> {
  return (await backends(sql, SELECT_BACKEND))[0];
}

/**
 * Closes connections whose answers will never arrive, because the server is no longer working on them. TCP would report such a
 * broken connection only after a quarter of an hour, if at all.
 *
 * @param sql another connection to the same server
 */
export async function closeDead(
  { server, sql }: { readonly server: string; readonly sql: ReservedSQL },
  connections: Iterable<Served>,
): Promise<void> {
  const suspects = [...connections]
    .filter((connection) => connection.server === server && connection.unanswered.size > 0)
    .map((connection) => ({ ...connection, owed: [...connection.unanswered] }));
  if (suspects.length === 0) return;
  const atWork = await withDeadline(backends(sql, SELECT_AT_WORK), CONNECT_DEADLINE_SECONDS * 1000);
  // The server reports its process as idle before it sends the last answer, so the program waits until the answer has had time to
  // arrive. If it arrives, the connection must stay open, because it may already be running the next write.
  await Bun.sleep(LATE_ANSWER_WAIT_MS);
  for (const { backend, unanswered, owed, close } of suspects) {
    const isSilent = owed.every((answer) => unanswered.has(answer));
    if (isSilent && backend !== undefined && !atWork.includes(backend)) void close();
  }
}

async function backends(sql: ReservedSQL, select: string): Promise<readonly string[]> {
  const rows = await unlessUnsupported(sql.unsafe<{ backend: string }[]>(select), []);
  return rows.map(({ backend }) => backend);
}
