import { effect, signal } from "@preact/signals";
import type { Int64 } from "exact-json/int64";
import type { ComponentChildren } from "preact";
import type { Event } from "../../../event-kinds/event-kinds.ts";
import { concurrently } from "../../../pet-files/concurrently.ts";
import { patiently } from "../../../pet-files/import-pets.ts";
import type { Pet, PetStatus } from "../../../pets/contract.ts";
import { mayChange } from "../account/session.ts";
import { askBeforeLeaving } from "../components/ask-before-leaving.ts";
import { actorWords } from "../events/actor-words.ts";
import { AS_LINE, call, callPage, callVersioned, LINES_IN_FLIGHT, type Versioned } from "../request.ts";
import { isOutdated, toPetstoreError } from "../request-error.ts";
import { changedMembers } from "../use-version.ts";
import { PET_KIND } from "./pet-kind.tsx";
import { endSale, isUndoable, sales, sell, startUndoTimes, undoSale } from "./sales.ts";
import { refusals, selected } from "./selection.ts";

type Row = Versioned<Pet>;
type Patch = { readonly status: PetStatus | null } | { readonly categoryId: Int64 };

/** A change to one animal. It is made only if the version that the person saw is still current. */
export interface Task {
  readonly row: Row;
  /** Returns true if the task may still run. If it is left out, the task may always run. */
  readonly mayRun?: () => boolean;
  /** Makes the change. @throws PetstoreError if it is not certain that the change was made */
  run(stop: AbortSignal): Promise<Outcome>;
}

/**
 * The result of a task. `reason` says why the change was refused. `now` is the animal as it is now, after this change or somebody
 * else's change.
 */
interface Outcome {
  readonly now?: Row | undefined;
  readonly reason?: ComponentChildren;
  readonly undo?: Task;
}

type Finished = Outcome & Pick<Task, "row">;

interface Run {
  readonly total: number;
  readonly finished: number;
  readonly aborter: AbortController;
}

interface Result {
  readonly words: string;
  readonly changed: readonly Finished[];
  readonly refused: readonly Finished[];
  readonly left: number;
}

export const run = signal<Run | undefined>(undefined);
export const result = signal<Result | undefined>(undefined);

// The result of a bulk change is cleared together with the selection, so that another account in this tab cannot undo the changes
// of this account.
effect(() => {
  if (!mayChange.value) result.value = undefined;
});

/**
 * Changes several animals, and returns their new versions. Removes the changed animals from the selection. The other animals stay
 * selected, each with the reason why it was not changed.
 */
export async function changeAll(tasks: readonly Task[], words: string): Promise<readonly Row[]> {
  const aborter = new AbortController();
  const outcomes: Finished[] = [];
  const show = () => {
    run.value = { total: tasks.length, finished: outcomes.length, aborter };
  };
  result.value = undefined;
  show();
  const endAsking = askBeforeLeaving();
  await concurrently(tasks.values(), LINES_IN_FLIGHT, aborter, async (task) => {
    const { signal } = aborter;
    const outcome = await task.run(signal).catch((error) => {
      // The change was aborted before its request was sent.
      if (signal.aborted && error === signal.reason) return undefined;
      return { reason: reasonOf(task.row, error) };
    });
    if (outcome !== undefined) outcomes.push({ row: task.row, ...outcome });
    show();
  });
  endAsking();
  startUndoTimes(outcomes.map(({ row }) => row));
  run.value = undefined;
  const refused = outcomes.filter(({ reason }) => reason !== undefined);
  const changed = outcomes.filter(({ reason }) => reason === undefined);
  result.value = { words, changed, refused, left: tasks.length - outcomes.length };
  settle(changed, refused);
  return outcomes.flatMap(({ now }) => now ?? []);
}

/**
 * Returns the message for a refused change. If another resource prevents the change, the message contains a link to that
 * resource.
 */
function reasonOf(row: Row, error: unknown): ComponentChildren {
  const { code, message } = toPetstoreError(error);
  if (code !== PET_KIND.obstacle?.code) return message;
  return (
    <>
      {message} {PET_KIND.obstacle.link(row)}
    </>
  );
}

function settle(changed: readonly Finished[], refused: readonly Finished[]) {
  const stay = new Map(selected.value);
  for (const { row } of changed) stay.delete(row.id);
  // Refused animals stay selected, but in their current versions, which the list now shows. A retry applies to these versions.
  for (const { row, now } of refused) stay.set(row.id, now ?? row);
  selected.value = stay;
  refusals.value = new Map(refused.flatMap(({ row, reason }) => (reason ? [[row.id, reason]] : [])));
}

/** Returns the tasks that undo a bulk change. Changes that can no longer be undone are left out. */
export function undoing({ changed }: Result): readonly Task[] {
  return changed.flatMap(({ undo }) => (undo === undefined || undo.mayRun?.() === false ? [] : [undo]));
}

export function patching(row: Row, patch: Patch): Task {
  const before = "status" in patch ? { status: row.status ?? null } : { categoryId: row.categoryId };
  async function run(stop: AbortSignal) {
    try {
      const options = { ...AS_LINE, ifMatch: row.etag, body: patch };
      const now = await patiently(stop, () => callVersioned<Pet>(PET_KIND.path(row), "PATCH", options));
      return { now, undo: patching(now, before) };
    } catch (error) {
      const now = await nowIfOutdated(row, error);
      return { now, reason: await whatHappened(row, now) };
    }
  }
  return { row, run };
}

export function removing(row: Row): Task {
  async function run(stop: AbortSignal) {
    try {
      await patiently(stop, () => call("DELETE", PET_KIND.path(row), { ...AS_LINE, ifMatch: row.etag }));
      return {};
    } catch (error) {
      const now = await nowIfOutdated(row, error);
      // The animal has already been removed: by an earlier attempt whose response was lost, or by somebody else.
      if (now === undefined) return {};
      return { now, reason: await whatHappened(row, now) };
    }
  }
  return { row, run };
}

/**
 * Sells an animal in the same way as the button in its row. The order is placed at once, but completed only when the time to undo
 * the sale is over.
 */
export function selling(row: Row): Task {
  async function run() {
    const reason = isUndoable(row) ? undefined : await sell(row, AS_LINE);
    if (reason) endSale(row);
    return { reason, undo: unselling(row) };
  }
  return { row, run };
}

function unselling(row: Row): Task {
  const sale = sales.value.get(row.id);
  const mayRun = () => isUndoable(row) && sales.value.get(row.id)?.order === sale?.order;
  const run = async () => ({
    reason: sale && mayRun() ? await undoSale(sale) : "The order is already complete.",
  });
  return { row, mayRun, run };
}

/**
 * Returns the current version of an animal whose change was refused because somebody else had changed the animal.
 *
 * @throws the error, if the change failed for any other reason
 */
async function nowIfOutdated(row: Row, error: unknown): Promise<Row | undefined> {
  if (!isOutdated(toPetstoreError(error))) throw error;
  return PET_KIND.read(row);
}

/** Says who has changed or removed an animal: `Changed in the meantime by ben@example.com: now Sold.` */
async function whatHappened(row: Row, now: Row | undefined): Promise<string> {
  const type = now === undefined ? "pet.deleted" : "pet.updated";
  const query = { petId: String(row.id), type, limit: "1" };
  const [event] = (await callPage<Event>("/events", { query })).items;
  const who = event === undefined ? "" : ` by ${actorWords(event)}`;
  if (now === undefined) return `Removed in the meantime${who}.`;
  const changes = changedMembers(PET_KIND, row, now).map(({ label, after }) =>
    label === "Status" ? `now ${after}` : `${label.toLowerCase()} now ${after}`,
  );
  return `Changed in the meantime${who}: ${changes.join(", ")}.`;
}
