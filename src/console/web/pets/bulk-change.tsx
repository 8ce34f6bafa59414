import { signal } from "@preact/signals";
import type { Int64 } from "exact-json/int64";
import type { VNode } from "preact";
import type { Event } from "../../../api/event-contract.ts";
import { concurrently } from "../../../pet-files/concurrently.ts";
import type { Pet, PetStatus } from "../../../pets/contract.ts";
import { actorWords } from "../events/event-words.ts";
import { call, callPage, callVersioned, PATIENT, REQUESTS_MAX, type Versioned } from "../request.ts";
import { isOutdated, toPetstoreError } from "../request-error.ts";
import { changedMembers } from "../use-version.ts";
import { PET_KIND } from "./pet-kind.tsx";
import { refusals, selected } from "./selection.ts";

type Row = Versioned<Pet>;
export type Patch = { readonly status: PetStatus | null } | { readonly categoryId: Int64 };

/** A change of one animal, in the version that the person saw; without a patch, its removal. */
export interface Task {
  readonly row: Row;
  readonly patch?: Patch;
}

/** Result of one animal's change: `now` is undefined if it is removed; a refused change has a `reason`. */
interface Outcome extends Task {
  readonly now: Row | undefined;
  readonly reason?: VNode;
}

interface Run {
  readonly total: number;
  readonly finished: number;
  readonly aborter: AbortController;
}

interface Result {
  readonly words: string;
  readonly changed: readonly Outcome[];
  readonly refused: number;
  readonly left: number;
}

export const run = signal<Run | undefined>(undefined);
export const result = signal<Result | undefined>(undefined);

/** Changes several animals. Changed ones leave the selection; the others stay, each with the reason. */
export async function changeAll(tasks: readonly Task[], words: string): Promise<ReadonlyMap<Int64, Row>> {
  const aborter = new AbortController();
  const outcomes: Outcome[] = [];
  const show = () => {
    run.value = { total: tasks.length, finished: outcomes.length, aborter };
  };
  result.value = undefined;
  show();
  await concurrently(tasks.values(), REQUESTS_MAX, aborter, async (task) => {
    outcomes.push(await change(task));
    show();
  });
  run.value = undefined;
  const refused = outcomes.filter(({ reason }) => reason !== undefined);
  const changed = outcomes.filter(({ reason }) => reason === undefined);
  result.value = { words, changed, refused: refused.length, left: tasks.length - outcomes.length };
  settle(changed, refused);
  return new Map(outcomes.flatMap(({ row, now }) => (now ? [[row.id, now]] : [])));
}

function settle(changed: readonly Outcome[], refused: readonly Outcome[]) {
  const stay = new Map(selected.value);
  for (const { row } of changed) stay.delete(row.id);
  // A retry applies to the current versions, which the person sees now.
  for (const { row, now } of refused) stay.set(row.id, now ?? row);
  selected.value = stay;
  refusals.value = new Map(refused.flatMap(({ row, reason }) => (reason ? [[row.id, reason]] : [])));
}

/** Changes that undo a bulk change, one for each changed animal; a removal cannot be undone. */
export function undoing({ changed }: Result): readonly Task[] {
  return changed.flatMap(({ row, patch, now }) => {
    if (now === undefined || patch === undefined) return [];
    const before = "status" in patch ? { status: row.status ?? null } : { categoryId: row.categoryId };
    return [{ row: now, patch: before }];
  });
}

async function change(task: Task): Promise<Outcome> {
  const { row, patch } = task;
  const options = { ...PATIENT, ifMatch: row.etag, body: patch };
  try {
    const now = await (patch === undefined
      ? call<undefined>("DELETE", PET_KIND.path(row), options)
      : callVersioned<Pet>(PET_KIND.path(row), "PATCH", options));
    return { ...task, now };
  } catch (error) {
    return refusalOf(task, error).catch((again) => ({
      ...task,
      now: row,
      reason: <>{toPetstoreError(again).message}</>,
    }));
  }
}

async function refusalOf(task: Task, error: unknown): Promise<Outcome> {
  const { row, patch } = task;
  const shown = toPetstoreError(error);
  if (!isOutdated(shown)) {
    const link = shown.code === PET_KIND.obstacle?.code && PET_KIND.obstacle.link(row);
    return {
      ...task,
      now: row,
      reason: (
        <>
          {shown.message} {link}
        </>
      ),
    };
  }
  const now = await PET_KIND.read(row);
  // Done already: the answer was lost, or another person made the same change.
  if (now === undefined ? patch === undefined : isDone(now, patch)) return { ...task, now };
  return { ...task, now, reason: <>{await whatHappened(row, now)}</> };
}

function isDone(now: Row, patch: Patch | undefined): boolean {
  if (patch === undefined) return false;
  return "status" in patch ? (now.status ?? null) === patch.status : now.categoryId === patch.categoryId;
}

/** Text that tells who has changed or removed an animal: `Changed meanwhile by ben@example.com: now Sold.` */
async function whatHappened(row: Row, now: Row | undefined): Promise<string> {
  const type = now === undefined ? "pet.deleted" : "pet.updated";
  const query = { petId: String(row.id), type, limit: "1" };
  const [event] = (await callPage<Event>("/events", { query })).items;
  const who = event === undefined ? "" : ` by ${actorWords(event)}`;
  if (now === undefined) return `Removed meanwhile${who}.`;
  const changes = changedMembers(PET_KIND, row, now).map(({ label, after }) =>
    label === "Status" ? `now ${after}` : `${label.toLowerCase()} now ${after}`,
  );
  return `Changed meanwhile${who}: ${changes.join(", ")}.`;
}
