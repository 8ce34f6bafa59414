import { useSignal } from "@preact/signals";
import { writeJson } from "exact-json/write-json";
import { useMemo, useRef } from "preact/hooks";
import type { PetstoreError } from "../../../../client/src/errors.ts";
import { lengthProblem } from "../../../contract/text-length.ts";
import { callVersioned, type Versioned } from "../request.ts";
import { toPetstoreError } from "../request-error.ts";
import { SETTLING_MS } from "../steady-press.ts";
import { announcePolite } from "./announce.tsx";
import { deleteDraft, idempotencyKeyFor, readDraft, saveDraft } from "./draft.ts";

export type Values<Name extends string> = Readonly<Record<Name, string>>;
type Input = Readonly<Record<string, string>>;
/** A phrase for each invalid field, such as "is required". The page shows it after the label of the field. */
export type Problems = Readonly<Record<string, string>>;

export interface FormState<Name extends string> {
  readonly id: string;
  readonly values: Values<Name>;
  readonly problems: Problems;
  readonly error: PetstoreError | undefined;
  readonly isSaving: boolean;
  /** The number of failed attempts to submit the form. Each failure moves the focus to the first field with an error. */
  readonly failedSubmits: number;
  set(name: Name, value: string): void;
  /**
   * Replaces the contents of a form with the initial values, removes the errors, and deletes the contents that the browser has
   * stored.
   */
  discardDraft(): void;
  submit(): Promise<void>;
}

/** Returns an error message, keyed by the field's name, if the text of the field is too long. */
export function checkText(name: string, text: string, max: number): Problems {
  const problem = lengthProblem(text, max);
  return problem === undefined ? {} : { [name]: problem };
}

interface FormOptions<Name extends string> {
  /**
   * The beginning of the element ids of all fields, and the name under which the browser stores the form's contents. It is
   * different for each edited record.
   */
  readonly id: string;
  /** The values of fields that the person has not changed. They may change while the form is shown. */
  readonly initial: Values<Name>;
  /** True if the form contains a secret. Its contents are then not stored in the browser. */
  readonly isSecret?: boolean;
  readonly base?: unknown;
  readonly check?: (values: Values<Name>) => Problems;
  readonly send: (values: Values<Name>, create: Create) => Promise<void>;
  /** Called after a save, unless the person has typed something while the save was running. */
  readonly onSaved?: (() => void) | undefined;
}

type Create = <Created>(path: string, body: unknown) => Promise<Versioned<Created>>;

export function useForm<Name extends string>(options: FormOptions<Name>): FormState<Name> {
  const { id, initial, isSecret = false, base, check, send, onSaved } = options;
  const draft = useMemo(() => (isSecret ? undefined : readDraft(id)), []);
  const typed = useSignal<Input>(draft ?? {});
  /** The initial values of the fields in the latest rendering. A save replaces them. */
  const shown = useRef(initial);
  shown.current = initial;
  const valuesNow = () => ({ ...shown.current, ...typed.value });
  const problems = useSignal<Problems>({});
  const error = useSignal<PetstoreError | undefined>(undefined);
  const isSaving = useSignal(false);
  const failedSubmits = useSignal(0);
  /** True if the person submitted the form again during a save. The newer contents are then saved afterwards. */
  const isAgain = useRef(false);
  const savedAt = useRef(Number.NEGATIVE_INFINITY);

  function reset(kept: Input = {}) {
    deleteDraft(id);
    typed.value = kept;
    problems.value = {};
    error.value = undefined;
  }

  function showProblems(found: Problems) {
    problems.value = found;
    failedSubmits.value++;
  }

  async function submit() {
    // The second click of a double click comes after the save has emptied the fields. They must not be reported as missing.
    if (performance.now() - savedAt.current < SETTLING_MS && Object.keys(typed.value).length === 0) return;
    isAgain.current = isSaving.value;
    if (isSaving.value) return;
    error.value = undefined;
    const sent = valuesNow();
    const found = check?.(sent) ?? {};
    if (Object.keys(found).length > 0) return showProblems(found);
    problems.value = {};
    isSaving.value = true;
    announcePolite("Saving…");
    try {
      await send(sent, (path, body) =>
        callVersioned(path, "POST", { body, idempotencyKey: idempotencyKeyFor(id, writeJson(body)) }),
      );
      announcePolite("");
      const since = typedSince(sent, valuesNow(), shown.current);
      reset(since);
      savedAt.current = performance.now();
      isSaving.value = false;
      if (Object.keys(since).length === 0) onSaved?.();
      else if (isAgain.current) await submit();
    } catch (caught) {
      announcePolite("");
      isSaving.value = false;
      error.value = toPetstoreError(caught);
      showProblems(problemsOf(error.value, Object.keys(initial)));
    }
  }

  return {
    id,
    values: valuesNow(),
    problems: problems.value,
    error: error.value,
    isSaving: isSaving.value,
    failedSubmits: failedSubmits.value,
    set(name, value) {
      typed.value = differing(shown.current, { ...valuesNow(), [name]: value });
      if (!isSecret) saveDraft(id, typed.value, base);
    },
    discardDraft: () => reset(),
    submit,
  };
}

/**
 * Returns the values that the person has changed. Only these are saved, so that a save never overwrites other people's changes.
 */
export function differing(shown: Input, values: Input): Input {
  return Object.fromEntries(Object.entries(values).filter(([name, value]) => value !== shown[name]));
}

/**
 * Returns what the person has typed since the form was submitted. If the person has added text to a field that the save clears,
 * only the added text is returned.
 */
function typedSince<Name extends string>(
  sent: Values<Name>,
  values: Values<Name>,
  next: Values<Name>,
): Input {
  const since: Record<string, string> = {};
  for (const name in values) {
    const [before, now] = [sent[name], values[name]];
    const isEmptied = next[name] !== before && now.startsWith(before);
    if (now !== before && now !== next[name]) since[name] = isEmptied ? now.slice(before.length) : now;
  }
  return since;
}

function problemsOf(error: PetstoreError, names: readonly string[]): Problems {
  const found = error.members
    .map(({ pointer, detail }) => [pointer.slice(2), detail])
    .filter(([name = ""]) => names.includes(name));
  return Object.fromEntries(found);
}
