import { useSignal } from "@preact/signals";
import { writeJson } from "exact-json/write-json";
import { useEffect, useRef } from "preact/hooks";
import { importPets } from "../../../pet-files/import-pets.ts";
import type { Pet } from "../../../pets/contract.ts";
import { deleteDraft, idempotencyKeyFor, saveDraft } from "../components/draft.ts";
import type { Values } from "../components/form-state.ts";
import { callVersioned, PATIENT, REQUESTS_MAX, type Versioned } from "../request.ts";
import { toPetstoreError } from "../request-error.ts";
import { PASTED, type PastedLines } from "./pasted-lines.ts";
import { type PetField, petFrom } from "./pet-fields.tsx";

export type Outcome = { readonly pet: Versioned<Pet> } | { readonly problem: string };

interface ReadyLine {
  readonly id: string;
  readonly values: Values<PetField>;
}

/** Adds an animal for each line, and stores the remaining lines for a reload. */
export function useAddLines(lines: PastedLines, onAdded: (pet: Versioned<Pet>) => void) {
  const outcomes = useSignal<ReadonlyMap<string, Outcome>>(new Map());
  const isBusy = useSignal(false);
  const failure = useSignal("");
  const stopping = useRef(new AbortController());
  useEffect(() => () => stopping.current.abort(), []);

  function settle(line: number, outcome: Outcome) {
    outcomes.value = new Map(outcomes.value).set(String(line), outcome);
    if ("problem" in outcome) return;
    const left = Object.entries(lines).filter(([id]) => !("pet" in (outcomes.value.get(id) ?? {})));
    saveDraft(PASTED, Object.fromEntries(left));
    onAdded(outcome.pet);
  }

  /** Adds the animals of the given lines. @returns the number of added animals */
  async function run(ready: readonly ReadyLine[]) {
    const stopper = new AbortController();
    const { signal } = stopper;
    stopping.current = stopper;
    isBusy.value = true;
    failure.value = "";
    const result = await importPets<Versioned<Pet>>({
      pets: ready
        .map(({ id, values }) => ({ pet: petFrom(values), line: Number(id), lastLine: Number(id) }))
        .values(),
      // Two equal lines are two animals.
      keyOf: (pet, line) => idempotencyKeyFor(`${PASTED}-${line}`, writeJson(pet)),
      inFlight: REQUESTS_MAX,
      create: (body, options) =>
        callVersioned<Pet>("/pets", "POST", { ...options, ...PATIENT, body, signal }),
      stopping: stopper,
      onAdded: (line, pet) => settle(line, { pet }),
      onRefused: ({ line, reason }) => settle(line, { problem: reason }),
    });
    isBusy.value = false;
    if (result.failure !== undefined) failure.value = toPetstoreError(result.failure).message;
    return result.counts.added + result.counts.alreadyThere;
  }

  return {
    outcomes: outcomes.value,
    isBusy: isBusy.value,
    /** Reason why the remaining lines were not added; empty after a stop. */
    failure: failure.value,
    run,
    stop: () => stopping.current.abort(),
    drop() {
      for (const id of Object.keys(lines)) deleteDraft(`${PASTED}-${id}`);
      deleteDraft(PASTED);
    },
  };
}
