import { Database } from "bun:sqlite";
import { join } from "node:path";
import { SQL } from "bun";
import { parseJson, writeJson } from "../../src/contract/json/json.ts";
import { EVENT_COLUMNS } from "../../src/events/store.ts";

type Row = Readonly<Record<string, unknown>>;
type Members = Readonly<Record<string, unknown>>;

/** An event as the database stores it. */
export interface LoggedEvent {
  readonly id: bigint;
  readonly type: string;
  readonly requestId: string;
  readonly actor: readonly unknown[];
  /** The animal, category or order that the event is about, such as `pet 7`. */
  readonly resource: string;
  readonly petId: unknown;
  readonly data: Members;
  readonly previous: Members | undefined;
}

/** The events in a database, and the resources that they are about, keyed by names such as `pet 7`. */
export interface Log {
  readonly events: readonly LoggedEvent[];
  /** True if no event identifier may be missing. On PostgreSQL, a failed transaction leaves a gap. */
  readonly isGapless: boolean;
  readonly resources: ReadonlyMap<string, Members>;
}

const EVENTS = (schema: string) => `SELECT ${EVENT_COLUMNS} FROM ${schema}event ORDER BY id`;
const RESOURCES = {
  pet: (schema: string) => `SELECT id, name, category_id AS "categoryId", status FROM ${schema}pet`,
  category: (schema: string) =>
    `SELECT id, name, description, created_at AS "createdAt" FROM ${schema}category`,
  order: (schema: string) =>
    `SELECT id, pet_id AS "petId", quantity, ship_date AS "shipDate", complete, created_at AS "createdAt", completed_at AS "completedAt" FROM ${schema}store_order`,
};
type Kind = keyof typeof RESOURCES;
const KINDS: readonly Kind[] = ["pet", "category", "order"];

/** Reads the event log of a SQLite store, even while the service is using it. */
export function readEmbeddedLog(dataDir: string): Log {
  const database = new Database(join(dataDir, "production.sqlite"), { readwrite: true, safeIntegers: true });
  const all = (query: string): readonly Row[] => database.query<Row, []>(query).all();
  try {
    return database.transaction(() =>
      logOf(
        all(EVENTS("")),
        KINDS.map((kind) => [kind, all(RESOURCES[kind](""))]),
        true,
      ),
    )();
  } finally {
    database.close();
  }
}

/**
 * Reads the event log of a PostgreSQL store.
 *
 * @param prefix the prefix of the names of the store's schemas
 */
export async function readPostgresLog(url: string, prefix = ""): Promise<Log> {
  const sql = new SQL(url, { max: 1, bigint: true });
  try {
    return await sql.begin("isolation level repeatable read", async (tx) => {
      const events = await tx.unsafe<Row[]>(EVENTS(`${prefix}production.`));
      const tables: [Kind, readonly Row[]][] = [];
      for (const kind of KINDS) tables.push([kind, await tx.unsafe(RESOURCES[kind](`${prefix}production.`))]);
      return logOf(events, tables, false);
    });
  } finally {
    await sql.close();
  }
}

function logOf(
  events: readonly Row[],
  tables: readonly (readonly [Kind, readonly Row[]])[],
  isGapless: boolean,
): Log {
  return {
    events: events.map(eventOf),
    isGapless,
    resources: new Map(
      tables.flatMap(([kind, rows]) =>
        rows.map(({ id, ...row }): [string, Members] => [`${kind} ${id}`, membersOf(kind, row)]),
      ),
    ),
  };
}

/** Converts a database row to the members that the API shows, without the identifier. */
function membersOf(kind: Kind, row: Row): Members {
  const members = { ...row };
  if (kind === "order") {
    members["complete"] = Number(row["complete"]) === 1;
  }
  for (const time of ["shipDate", "createdAt", "completedAt"])
    if (typeof row[time] === "bigint") members[time] = new Date(Number(row[time])).toISOString();
  const isShown = ([name, value]: [string, unknown]) => value !== null || name === "shipDate";
  return exact(Object.fromEntries(Object.entries(members).filter(isShown)));
}

/** Converts the object to JSON and back, so that a `bigint` and a `number` with the same value are equal. */
function exact(members: object): Members {
  return Object(parseJson(writeJson(members)));
}

function eventOf(row: Row): LoggedEvent {
  const type = String(row["type"]);
  const [kind] = type.split(".");
  const previous = row["previous"];
  return {
    id: BigInt(Number(row["id"])),
    type,
    requestId: String(row["request_id"]),
    actor: [row["actor_kind"], row["actor_id"], row["actor_name"]],
    resource: `${kind} ${kind === "pet" ? row["pet_id"] : row["resource_id"]}`,
    petId: row["pet_id"],
    data: Object(parseJson(String(row["data"]))),
    previous: typeof previous === "string" ? Object(parseJson(previous)) : undefined,
  };
}

const BIRTHS = ["pet.created", "category.created", "order.placed"];
const ENDS = ["pet.deleted", "category.deleted", "order.cancelled"];

/**
 * Yields the faults of an event log: missing and duplicate identifiers, events that do not follow from earlier ones, and tables
 * that differ from the result of all events.
 */
export function* flawsOf({ events, isGapless, resources }: Log): Iterable<string> {
  const folded = new Map<string, Members>();
  let last = 0n;
  for (const event of events) {
    const { id, type, resource, data, previous } = event;
    const what = `event ${id}, ${type} of ${resource},`;
    if (isGapless ? id !== last + 1n : id <= last) yield `${what} comes after ${last}`;
    last = id;
    const before = folded.get(resource);
    const isBirth = BIRTHS.includes(type);
    if (isBirth !== (before === undefined)) yield `${what} is for one that is ${isBirth ? "there" : "gone"}`;
    const petId = type.startsWith("category") ? null : resourcePet(event);
    if (String(event.petId) !== String(petId)) yield `${what} is for animal ${event.petId}`;
    if (ENDS.includes(type)) {
      if (!Bun.deepEquals(before, data))
        yield `${what} has ${writeJson(data)} instead of ${writeJson(before)}`;
      folded.delete(resource);
      continue;
    }
    if (isBirth !== (previous === undefined)) yield `${what} has ${previous ? "" : "no "}previous members`;
    if (previous !== undefined) yield* flawsOfUpdate(what, before ?? {}, data, previous);
    folded.set(resource, data);
  }
  for (const name of new Set([...folded.keys(), ...resources.keys()])) {
    const [told, stored] = [folded.get(name), resources.get(name)];
    if (!Bun.deepEquals(told, stored)) yield `${name} is ${writeJson(stored)}, told as ${writeJson(told)}`;
  }
}

function resourcePet({ resource, data }: LoggedEvent): unknown {
  return resource.startsWith("pet ") ? resource.slice(4) : data["petId"];
}

/**
 * Yields the faults of an event's member `previous`. It must be a merge patch (RFC 7396) that restores the earlier state of the
 * resource, and it must contain only members that changed.
 */
function* flawsOfUpdate(what: string, before: Members, data: Members, previous: Members): Iterable<string> {
  const undone = { ...data, ...previous };
  // Members without a value are left out, except an order's shipping date, which is then null.
  const restored = Object.entries(undone).filter(([name, value]) => value !== null || name === "shipDate");
  if (!Bun.deepEquals(Object.fromEntries(restored), before))
    yield `${what} leads back to ${writeJson(undone)} instead of ${writeJson(before)}`;
  const changed = Object.entries(previous).filter(([name, value]) => (data[name] ?? null) !== value);
  if (changed.length === 0 || changed.length < Object.keys(previous).length)
    yield `${what} tells of what is the same`;
}
