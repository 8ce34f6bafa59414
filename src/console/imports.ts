import type { Int64 } from "exact-json/int64";
import { deleteCategory } from "../categories/verbs.ts";
import type { Context } from "../context.ts";
import { ServiceError } from "../errors.ts";
import type { StoredEvent } from "../events/store.ts";
import { endpoint } from "../http/endpoint.ts";
import { importOf, importStart, undoIdentity } from "../pet-files/import-identity.ts";
import type { PetPatch } from "../pets/contract.ts";
import { deletePet, updatePet } from "../pets/verbs.ts";
import { inTurn } from "../platform/turns.ts";
import { type ImportView, importOperations, type UndoneImport } from "./imports-contract.ts";
import {
  EVENTS_LOOKED_MAX,
  forgetCreations,
  selectEventBelow,
  selectEventsOfRequests,
  selectLaterRequest,
  UNDONE_MAX,
} from "./imports-store.ts";

const WINDOWS_MAX = 5; // parts of the log in which a list of imports looks for them
const CLOCKS_MS = 3_600_000; // difference allowed between a browser's clock and the server's

/** Path under which an import's idempotency records are kept, from wherever it was sent. */
const CREATION_PATH = "/v1/pets";

/** Lists the imports among the newest events, newest first. */
export const importsEndpoint = endpoint(importOperations.listImports, async ({ query }) => {
  const events: StoredEvent[] = [];
  let below = await nextId(query);
  for (let window = 0; window < WINDOWS_MAX && below > 0n; window++) {
    const above = below - BigInt(EVENTS_LOOKED_MAX);
    const from = below;
    // Other requests run between two parts, because an embedded engine's reads are synchronous.
    const found = await inTurn(undefined, () =>
      query(selectEventsOfRequests, ["import!_%", above, from, EVENTS_LOOKED_MAX]),
    );
    events.push(...found);
    below = above + 1n;
  }
  const imports = new Map<string, ImportView>();
  const undone = new Set<string>();
  for (const { requestId, type, createdAt } of events) {
    const of = importOf(requestId);
    if (of === undefined) {
      undone.add(requestId);
      continue;
    }
    const known = imports.get(of.identity) ?? { ...of, startedAt: createdAt, added: 0, changed: 0 };
    imports.set(of.identity, {
      ...known,
      startedAt: createdAt,
      added: known.added + (type === "pet.created" ? 1 : 0),
      changed: known.changed + (type === "pet.updated" ? 1 : 0),
    });
  }
  return [...imports.values()].map((one) => ({ ...one, isUndone: undone.has(undoIdentity(one.identity)) }));
});

async function nextId(query: Context["query"]): Promise<bigint> {
  const [newest] = await query(selectEventBelow, [BigInt(Number.MAX_SAFE_INTEGER)]);
  return (newest?.id ?? 0n) + 1n;
}

/** Undoes the newest events of an import, of those below `below`. The caller repeats it with `next`. */
export const undoImportEndpoint = endpoint(importOperations.undoImport, async (ctx, { body }) => {
  const { identity, below } = body;
  const top = below === undefined ? await nextId(ctx.query) : BigInt(below);
  const floor = top - BigInt(EVENTS_LOOKED_MAX);
  const pattern = `${identity.replaceAll("_", "!_")}!_%`;
  const events = await ctx.query(selectEventsOfRequests, [pattern, floor, top, UNDONE_MAX]);
  const undoing = { ...ctx, requestId: undoIdentity(identity) };
  const result = { removed: 0, restored: 0, left: [] as UndoneImport["left"][number][] };
  const removed: Int64[] = [];
  for (const event of events) {
    if (importOf(event.requestId)?.identity !== identity) continue;
    const outcome = await undoEvent(undoing, event);
    if (outcome === "removed") removed.push(event.data.id);
    if (typeof outcome === "object") result.left.push(outcome);
    else if (outcome !== undefined) result[outcome]++;
  }
  await forgetCreations(ctx.query, CREATION_PATH, removed);
  return { ...result, next: await nextOf(ctx, identity, events, floor) };
});

/** The position from which to continue; null if no older event can be of the import. */
async function nextOf(
  { query }: Context,
  identity: string,
  events: readonly StoredEvent[],
  floor: bigint,
): Promise<Int64 | null> {
  const last = events.at(-1);
  if (events.length === UNDONE_MAX && last !== undefined) return last.id;
  const [older] = await query(selectEventBelow, [floor + 1n]);
  if (older === undefined || Date.parse(older.createdAt) < importStart(identity) - CLOCKS_MS) return null;
  return floor + 1n;
}

type Outcome = "removed" | "restored" | UndoneImport["left"][number] | undefined;

async function undoEvent(ctx: Context, event: StoredEvent): Promise<Outcome> {
  const { type, data, previous, petId } = event;
  try {
    if (type === "category.created") {
      await deleteCategory(ctx, { categoryId: data.id });
      return undefined;
    }
    if (petId === undefined || !(type === "pet.created" || type === "pet.updated")) return undefined;
    const [later] = await ctx.query(selectLaterRequest, [petId, event.id]);
    if (later === ctx.requestId) return undefined;
    if (later !== undefined) return { ...nameOf(event), reason: "Changed, ordered or removed since." };
    if (type === "pet.updated") {
      await updatePet(ctx, { petId, body: previous as PetPatch });
      return "restored";
    }
    await deletePet(ctx, { petId });
    return "removed";
  } catch (error) {
    // A removed category, or one that animals of others use, is no animal to tell of.
    if (!(error instanceof ServiceError)) throw error;
    return type === "category.created" ? undefined : { ...nameOf(event), reason: error.message };
  }
}

function nameOf({ data }: StoredEvent) {
  return { id: data.id, name: "name" in data ? String(data.name) : "" };
}
