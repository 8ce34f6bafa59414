import { requireSession } from "../accounts/sessions/sessions.ts";
import type { Context } from "../context.ts";
import { type Found, readFoundPage } from "../contract/cursor.ts";
import { writeJson } from "../contract/json/json.ts";
import type { Input, Page } from "../contract/operation.ts";
import { readBatches } from "../contract/scan.ts";
import { type Event, filterOf } from "../event-kinds/event-kinds.ts";
import { eventIn, type StoredEvent } from "../events/store.ts";
import { endpoint } from "../http/endpoint.ts";
import { SCANNED_MAX } from "../limits.ts";
import { selectPet } from "../pets/store.ts";
import type { Database, Query } from "../storage/database.ts";
import { type ActivityLine, activityOperations } from "./activity-contract.ts";
import { type ScannedEvent, selectScannedEvents } from "./activity-store.ts";
import { openLog } from "./count-by-day.ts";
import { namePersons } from "./person-names.ts";

const GROUP_GAP_MS = 5_000; // maximum time between two events that the activity list shows as one line, such as two events of an import
const GROUPED_MIN = 3; // minimum number of similar consecutive events that the activity list shows as one line

type ActivityInput = Input<typeof activityOperations.listActivity>;

/** Similar consecutive events, newest first. The activity list shows `GROUPED_MIN` or more of them as one line. */
interface Row {
  /**
   * The newest events of a group of similar events, at most `GROUPED_MIN` − 1 of them. A larger group is shown as one line, which
   * needs only the newest event.
   */
  readonly first: readonly ScannedEvent[];
  readonly oldest: ScannedEvent;
  readonly count: number;
}

interface Line {
  /** The identifier of the oldest event on a line of the activity list. */
  readonly id: number | bigint;
  readonly newest: ScannedEvent;
  readonly count: number;
  /** True if the server has not read all older events, so that more of them may belong to this line. */
  readonly isCut: boolean;
}

interface Range {
  readonly above: bigint;
  readonly below: bigint;
}

export function activityEndpoint(accounts: Pick<Database, "read">) {
  return endpoint(activityOperations.listActivity, async (ctx, input): Promise<Page<ActivityLine>> => {
    const { environment } = requireSession(ctx);
    const { petId, by, from, before, each, ...paging } = input;
    const range = await rangeOf(ctx.query, input);
    const filters = ["listActivity", petId, by, from, before, each] as const;
    const page = await readFoundPage<Line>(ctx, paging, filters, async (cursor, count) => {
      if (range === undefined) return { items: [] };
      const { above, below } = range;
      return findLines(ctx, input, { above, below: cursor < below ? cursor : below }, count);
    });
    const items = await Promise.all(
      page.items.map(async ({ newest, count, isCut }) => {
        const stored = newest.read();
        const event = eventIn(environment, stored) as Event;
        return { ...event, count, isAtLeast: isCut, petName: await nameOf(ctx.query, stored) };
      }),
    );
    return { ...page, items: await namePersons(accounts, items) };
  });
}

/**
 * Returns the range of event identifiers that a request asks for: the events of one day, or all events up to and including a
 * given one. Returns undefined if the log is empty.
 */
async function rangeOf(query: Query, { from, before, each }: ActivityInput): Promise<Range | undefined> {
  const log = await openLog(query);
  if (log === undefined) return undefined;
  const ends = [log.end];
  if (before !== undefined) ends.push(await log.search(Number(before)));
  if (each !== undefined) ends.push(Number(each) + 1);
  const first = from === undefined ? 1 : await log.search(Number(from));
  return { above: BigInt(first - 1), below: BigInt(Math.min(...ends)) };
}

/** Finds up to `count` lines of the activity list, newest first. Stops after reading `SCANNED_MAX` events. */
async function findLines(
  { query }: Context,
  { petId, by, each }: ActivityInput,
  { above, below }: Range,
  count: number,
): Promise<Found<Line>> {
  const filter = filterOf({ petId });
  const isGrouped = petId === undefined && each === undefined;
  const read = (end: bigint, rows: number) => {
    const { statement, values } = selectScannedEvents(filter, { above, below: end }, rows);
    return query(statement, values);
  };
  const lines: Line[] = [];
  let row: Row | undefined;
  let scanned = 0;
  for await (const { items } of readBatches({ owner: undefined, read }, below, count)) {
    for (const event of items) {
      if (scanned++ === SCANNED_MAX)
        return { items: [...lines, ...linesOf(row, true)], end: BigInt(event.id) + 1n };
      if (event.isTold || (by !== undefined && event.author !== by)) continue;
      const longer = isGrouped ? withNext(row, event) : undefined;
      if (longer === undefined) lines.push(...linesOf(row));
      if (lines.length >= count) return { items: lines };
      row = longer ?? { first: [event], oldest: event, count: 1 };
    }
  }
  return { items: [...lines, ...linesOf(row)] };
}

function linesOf(row: Row | undefined, isCut = false): readonly Line[] {
  const [newest] = row?.first ?? [];
  if (row === undefined || newest === undefined) return [];
  if (row.count < GROUPED_MIN)
    return row.first.map((event) => ({ id: event.id, newest: event, count: 1, isCut: false }));
  return [{ id: row.oldest.id, newest, count: row.count, isCut }];
}

/** Adds the next older event to a series of similar events. Returns undefined if the event is not similar to them. */
function withNext(row: Row | undefined, event: ScannedEvent): Row | undefined {
  if (row === undefined || !isLike(row.oldest, event)) return undefined;
  const { first, count } = row;
  return {
    first: first.length < GROUPED_MIN - 1 ? [...first, event] : first,
    oldest: event,
    count: count + 1,
  };
}

function isLike(later: ScannedEvent, event: ScannedEvent): boolean {
  const { type, author, createdAt } = event;
  if (later.type !== type || later.author !== author || type.startsWith("category.")) return false;
  if (later.createdAt - createdAt > GROUP_GAP_MS) return false;
  return type !== "pet.updated" || changeOf(later) === changeOf(event);
}

/**
 * Returns a text with the names and new values of everything that an update changed. Updates with the same text are shown as one
 * line.
 */
function changeOf(event: ScannedEvent): string {
  const { data, previous = {} } = event.read();
  const values = new Map<string, unknown>(Object.entries(data));
  return writeJson(Object.keys(previous).map((member) => [member, values.get(member)]));
}

async function nameOf(query: Query, { type, petId }: StoredEvent): Promise<string> {
  if (!type.startsWith("order.") || petId === undefined) return "";
  const [pet] = await query(selectPet, [petId]);
  return pet?.name ?? "";
}
