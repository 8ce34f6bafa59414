import { useSignal } from "@preact/signals";
import { writeJson } from "exact-json/write-json";
import { useEffect, useRef } from "preact/hooks";
import type { Pet } from "../../../pets/contract.ts";
import { concurrently } from "../components/concurrently.ts";
import { deleteDraft, idempotencyKeyFor, saveDraft } from "../components/draft.ts";
import type { Values } from "../components/form-state.ts";
import { patiently } from "../files/patiently.ts";
import { callVersioned, type Versioned } from "../request.ts";
import { toRequestError } from "../request-error.ts";
import { PASTED, type PastedLines } from "./pasted-lines.ts";
import { type PetField, petFrom } from "./pet-fields.tsx";

/** Requests at a time. */
const CONCURRENCY = 4;

/** What has become of a line. */
export type Outcome = { readonly pet: Versioned<Pet> } | { readonly problem: string };

interface ReadyLine {
  readonly id: string;
  readonly values: Values<PetField>;
}

/** Adds an animal for each line, and keeps the lines that are left where a reload finds them. */
export function useAddLines(lines: PastedLines, onAdded: (pet: Versioned<Pet>) => void) {
  const outcomes = useSignal<ReadonlyMap<string, Outcome>>(new Map());
  const isBusy = useSignal(false);
  const aborter = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => aborter.current?.abort(), []);

  function settle(id: string, outcome: Outcome): void {
    outcomes.value = new Map(outcomes.value).set(id, outcome);
    if ("problem" in outcome) return;
    const left = Object.entries(lines).filter(([line]) => !("pet" in (outcomes.value.get(line) ?? {})));
    saveDraft(PASTED, Object.fromEntries(left));
    onAdded(outcome.pet);
  }

  async function addOne({ id, values }: ReadyLine, signal: AbortSignal): Promise<void> {
    const body = petFrom(values);
    // A key of its own: two lines may be the same, and each is one animal.
    const idempotencyKey = idempotencyKeyFor(`${PASTED}-${id}`, writeJson(body));
    try {
      const pet = await patiently(signal, () =>
        callVersioned<Pet>("/pets", "POST", { body, idempotencyKey, signal }),
      );
      settle(id, { pet });
    } catch (error) {
      if (signal.aborted) return;
      const { message, status, isTransient } = toRequestError(error);
      settle(id, { problem: message });
      // The next lines would fail alike.
      if (isTransient || status === 401) aborter.current?.abort();
    }
  }

  /** @returns how many were added */
  async function run(ready: readonly ReadyLine[]): Promise<number> {
    aborter.current = new AbortController();
    const { signal } = aborter.current;
    isBusy.value = true;
    await concurrently(ready, CONCURRENCY, signal, (line) => addOne(line, signal));
    isBusy.value = false;
    return ready.filter(({ id }) => "pet" in (outcomes.value.get(id) ?? {})).length;
  }

  return {
    outcomes: outcomes.value,
    isBusy: isBusy.value,
    run,
    stop: () => aborter.current?.abort(),
    /** Forgets the lines. */
    drop() {
      for (const id of Object.keys(lines)) deleteDraft(`${PASTED}-${id}`);
      deleteDraft(PASTED);
    },
  };
}
