import type { Int64 } from "exact-json/int64";
import { deleteCategory } from "../categories/verbs.ts";
import type { Context } from "../context.ts";
import { ServiceError } from "../errors.ts";
import type { StoredEvent } from "../events/store.ts";
import { endpoint } from "../http/endpoint.ts";
import { importOf, importStart, importTime, undoIdentity } from "../pet-files/import-identity.ts";
import type { PetPatch } from "../pets/contract.ts";
import { deletePet, updatePet } from "../pets/verbs.ts";
import { inTurn } from "../platform/turns.ts";
import type { Query } from "../storage/database.ts";
import { writeSetting } from "../storage/setting.ts";
import { type ImportView, importOperations, type UndoneImport } from "./imports-contract.ts";
import {
  EVENTS_LOOKED_MAX,
  forgetCreations,
  forgetImportNames,
  selectEventBelow,
  selectEventsOfRequests,
  selectImportNames,
  selectLaterRequest,
  selectOldestTime,
  UNDONE_MAX,
} from "./imports-store.ts";

const PREVIEWED_MAX = 1_000; // maximum number of events of an import that one request reads for the preview of an undo
const WINDOWS_MAX = 5; // maximum number of parts of the event log in which the service looks for imports; each part covers `EVENTS_LOOKED_MAX` identifiers
const CLOCKS_MS = 3_600_000; // maximum accepted difference between the browser's clock and the server's clock

/** The path that the idempotency records of imports are stored under, both from the console and from the command line. */
const CREATION_PATH = "/v1/pets";

/**
 * Stores the name of an import's file, because the requests of the import cannot contain the whole name. Also deletes the file
 * names of imports that are older than the event log.
 */
export const nameImportEndpoint = endpoint(importOperations.nameImport, async ({ query }, { body }) => {
  const { identity, file } = body;
  const [oldest] = await query(selectOldestTime, []);
  if (oldest !== undefined) await query(forgetImportNames, [importTime(Date.parse(oldest) - CLOCKS_MS)]);
  await query(writeSetting, [identity, file]);
  return undefined;
});

/** Lists the imports that are found in the newest part of the event log, newest first. */
export const importsEndpoint = endpoint(importOperations.listImports, async ({ query }) => {
  const events: StoredEvent[] = [];
  let below = await nextId(query);
  for (let window = 0; window < WINDOWS_MAX && below > 0n; window++) {
    const above = below - BigInt(EVENTS_LOOKED_MAX);
    const from = below;
    // An embedded database reads synchronously. Other requests therefore get a turn before each part of the log is read.
    const found = await inTurn(undefined, () =>
      query(selectEventsOfRequests, { pattern: "import!_%", above, below: from, limit: EVENTS_LOOKED_MAX }),
    );
    events.push(...found);
    below = above + 1n;
  }
  const names = new Map((await query(selectImportNames, [])).map(({ identity, file }) => [identity, file]));
  const imports = new Map<string, ImportView>();
  const undone = new Set<string>();
  for (const { requestId, type, createdAt } of events) {
    const of = importOf(requestId);
    if (of === undefined) {
      undone.add(requestId);
      continue;
    }
    const file = names.get(of.identity) ?? of.file;
    // Events are read from newest to oldest, so an undo that has already been read is newer than the import's last change.
    const isUndone = undone.has(undoIdentity(of.identity));
    const known = imports.get(of.identity) ?? {
      ...of,
      file,
      startedAt: createdAt,
      added: 0,
      changed: 0,
      isUndone,
    };
    imports.set(of.identity, {
      ...known,
      startedAt: createdAt,
      added: known.added + (type === "pet.created" ? 1 : 0),
      changed: known.changed + (type === "pet.updated" ? 1 : 0),
    });
  }
  return [...imports.values()];
});

async function nextId(query: Context["query"]): Promise<bigint> {
  const [newest] = await query(selectEventBelow, [BigInt(Number.MAX_SAFE_INTEGER)]);
  return (newest?.id ?? 0n) + 1n;
}

/**
 * Counts the changes that an undo of an import would make now. One request counts only some of the changes. The client sends
 * further requests with `next` to count the rest.
 */
export const previewUndoEndpoint = endpoint(
  importOperations.previewUndo,
  async (ctx, { identity, below }) => {
    const part = await newestPart(ctx, { identity, below }, PREVIEWED_MAX);
    const counts = { removed: 0, restored: 0, left: 0 };
    for (const event of part.events) {
      const fate = await fateOf(ctx.query, event, undoIdentity(identity));
      if (fate !== undefined) counts[fate]++;
    }
    return { ...counts, next: part.next };
  },
);

/**
 * Undoes changes of an import, newest first. It begins with the newest event that has a lower identifier than `below`. One request
 * undoes only some of the changes. The client sends further requests with `next` to undo the rest.
 */
export const undoImportEndpoint = endpoint(importOperations.undoImport, async (ctx, { body }) => {
  const part = await newestPart(ctx, body, UNDONE_MAX);
  const id = undoIdentity(body.identity);
  const undoing = { ...ctx, request: ctx.request && { ...ctx.request, id } };
  const result = { removed: 0, restored: 0, left: [] as UndoneImport["left"][number][] };
  const removed: Int64[] = [];
  for (const event of part.events) {
    const outcome = await undoEvent(undoing, event, id);
    if (outcome === "removed") removed.push(event.data.id);
    if (typeof outcome === "object") result.left.push(outcome);
    else if (outcome !== undefined) result[outcome]++;
  }
  await forgetCreations(ctx.query, CREATION_PATH, removed);
  return { ...result, next: part.next };
});

interface Part {
  readonly events: readonly StoredEvent[];
  readonly next: Int64 | null;
}

/** Returns at most `maximum` events of an import: the newest ones with identifiers lower than `below`. */
async function newestPart(
  { query }: Context,
  { identity, below }: { readonly identity: string; readonly below?: Int64 | undefined },
  maximum: number,
): Promise<Part> {
  const top = below === undefined ? await nextId(query) : BigInt(below);
  const floor = top - BigInt(EVENTS_LOOKED_MAX);
  const pattern = `${identity.replaceAll("_", "!_")}!_%`;
  const range = { above: floor, below: top, limit: maximum };
  const found = await query(selectEventsOfRequests, { pattern, ...range });
  const events = found.filter(({ requestId }) => importOf(requestId)?.identity === identity);
  const last = found.at(-1);
  if (found.length === maximum && last !== undefined) return { events, next: last.id };
  const [older] = await query(selectEventBelow, [floor + 1n]);
  const isAll = older === undefined || Date.parse(older.createdAt) < importStart(identity) - CLOCKS_MS;
  return { events, next: isAll ? null : floor + 1n };
}

type Fate = "removed" | "restored" | "left";

/**
 * Determines what an undo of this event would do to its animal. Returns undefined if there is nothing to undo, or if the event
 * has already been undone.
 */
async function fateOf(query: Query, { id, type, petId }: StoredEvent, undo: string) {
  if (petId === undefined || !(type === "pet.created" || type === "pet.updated")) return undefined;
  const [later] = await query(selectLaterRequest, [petId, id]);
  if (later === undo) return undefined;
  const fate: Fate = later !== undefined ? "left" : type === "pet.updated" ? "restored" : "removed";
  return fate;
}

type Outcome = Exclude<Fate, "left"> | UndoneImport["left"][number] | undefined;

async function undoEvent(ctx: Context, event: StoredEvent, undo: string): Promise<Outcome> {
  const { type, data, previous } = event;
  try {
    if (type === "category.created") {
      await deleteCategory(ctx, { categoryId: data.id });
      return undefined;
    }
    const fate = await fateOf(ctx.query, event, undo);
    if (fate === "left")
      return { ...nameOf(event), reason: "The animal was changed, ordered or removed after the import." };
    if (fate === "restored") await updatePet(ctx, { petId: data.id, body: previous as PetPatch });
    if (fate === "removed") await deletePet(ctx, { petId: data.id });
    return fate;
  } catch (error) {
    // The response to an undo lists only animals, so it does not say why a category could not be removed.
    if (!(error instanceof ServiceError)) throw error;
    return type === "category.created" ? undefined : { ...nameOf(event), reason: error.message };
  }
}

function nameOf({ data }: StoredEvent) {
  return { id: data.id, name: "name" in data ? String(data.name) : "" };
}
