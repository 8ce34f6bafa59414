import { existsSync } from "node:fs";
import { unavailable } from "../../errors.ts";
import { STORE_MARK_INTERVAL_MS } from "../../limits.ts";
import type { Database, DataVersion } from "../database.ts";
import { asServiceError, isDiskError, leavesLogUnknown } from "../sqlite/errors.ts";
import type { DatabaseName } from "../store-files.ts";
import { countMark, renewIdentity } from "./stamp.ts";
import { changeListed, type LastIds, type Listed } from "./store-list.ts";

interface MarkedFile {
  readonly name: DatabaseName;
  readonly file: string;
  readonly accountsFile: string;
  /** Called when a mark failed on its way to the disk: what the accounts' log holds is unknown. */
  readonly onFatalIoError?: ((error: unknown) => void) | undefined;
}

/**
 * A database whose file is marked before this process's first write to it, every minute that it is written to, and when it
 * is closed. The accounts' list has the mark before the file (`announced`) and after it (`confirmed`), so that a file, or a
 * list, from before a mark is known for what it is, whenever the power fails.
 */
export function withMarks(database: Database, marked: MarkedFile): Database {
  let seen: DataVersion | undefined;
  let first: Promise<void> | undefined;
  let isBegun = false;
  let isClosing = false;
  let marking: ReturnType<typeof setInterval> | undefined;

  async function begin(): Promise<void> {
    await mark(database, marked);
    seen = await database.versions.current();
    isBegun = true;
    // What fails now, on a full disk say, is done a minute later.
    marking = setInterval(() => void markAgain().catch(() => {}), STORE_MARK_INTERVAL_MS);
  }
  async function markAgain(): Promise<void> {
    if (seen === (await database.versions.current())) return;
    await mark(database, marked);
    seen = await database.versions.current();
  }
  const isWritten = (): boolean => isBegun && !isClosing;
  /** Concurrent first writes wait for the same mark; after a failure the next one tries again. */
  async function beforeWriting(): Promise<void> {
    // The identifiers that the last mark records are to be the last.
    if (isClosing) throw unavailable("The store is being closed.");
    first ??= begin().catch((error: unknown) => {
      first = undefined;
      throw asServiceError(error);
    });
    return first;
  }

  return {
    ...database,
    write: (work, single) =>
      isWritten() ? database.write(work, single) : beforeWriting().then(() => database.write(work, single)),
    run: (statement, values) =>
      isWritten()
        ? database.run(statement, values)
        : beforeWriting().then(() => database.run(statement, values)),
    maintenance: {
      ...database.maintenance,
      async empty(query, tables, storeId) {
        await query(renewIdentity, [storeId]);
        return database.maintenance.empty(query, tables, storeId);
      },
    },
    async close() {
      isClosing = true;
      clearInterval(marking);
      await first?.catch(() => {});
      // Without it the next start knows no less than after a power loss.
      const last = isBegun ? await mark(database, marked).catch(() => undefined) : undefined;
      await database.close();
      if (last !== undefined) await closeMarks(marked, last);
    },
  };
}

/** A mark that was announced and then made. */
interface Mark {
  readonly announced: number;
  readonly mark: number;
  readonly storeId: string;
  readonly lastIds: LastIds;
}

async function mark(database: Database, marked: MarkedFile): Promise<Mark> {
  try {
    return await makeMark(database, marked);
  } catch (error) {
    if (isDiskError(error) && leavesLogUnknown(error)) marked.onFatalIoError?.(error);
    throw error;
  }
}

async function makeMark(database: Database, { name, accountsFile }: MarkedFile): Promise<Mark> {
  const { announced } = await changeListed(accountsFile, name, (listed) => {
    const known = required(name, listed);
    return { ...known, announced: known.announced + 1, isClosed: false };
  });
  const made = { announced, ...(await database.write(countMark)) };
  await confirmMark(accountsFile, name, made);
  return made;
}

/** Has the list say that the file has this mark. */
export async function confirmMark(accountsFile: string, name: DatabaseName, made: Mark): Promise<void> {
  const { announced, mark, storeId, lastIds } = made;
  await changeListed(accountsFile, name, (listed) => {
    const known = required(name, listed);
    // Another process may have announced one since; where it has not, what was announced and never made is forgotten.
    const highest = known.announced === announced ? mark : Math.max(mark, known.announced);
    return {
      ...known,
      announced: highest,
      confirmed: Math.max(mark, known.confirmed ?? mark),
      storeId,
      lastIds,
    };
  });
}

/** SQLite removes the log with the last connection: then no process gives out identifiers any more. */
async function closeMarks(
  { name, file, accountsFile }: MarkedFile,
  { announced, storeId, lastIds }: Mark,
): Promise<void> {
  if (existsSync(`${file}-wal`) || !existsSync(accountsFile)) return;
  await changeListed(accountsFile, name, (listed) => {
    const known = required(name, listed);
    return known.announced === announced ? { ...known, isClosed: true, storeId, lastIds } : known;
  }).catch(() => {});
}

function required(name: DatabaseName, listed: Listed | undefined): Listed {
  if (listed === undefined)
    throw new Error(`The accounts do not list ${name}: they were replaced while it was open.`);
  return listed;
}
