import { useSignal } from "@preact/signals";
import { writeJson } from "exact-json/write-json";
import { useMemo, useRef } from "preact/hooks";
import type { PetstoreError } from "../../../../client/src/errors.ts";
import { callVersioned, type Versioned } from "../request.ts";
import { toPetstoreError } from "../request-error.ts";
import { announcePolite } from "./announce.tsx";
import { deleteDraft, idempotencyKeyFor, openDraft, saveDraft } from "./draft.ts";

export type Values<Name extends string> = Readonly<Record<Name, string>>;
/** A phrase for each invalid field, appended to its label: "is required". */
export type Problems = Readonly<Record<string, string>>;

export interface FormState<Name extends string> {
  readonly id: string;
  readonly values: Values<Name>;
  readonly problems: Problems;
  readonly error: PetstoreError | undefined;
  readonly isSaving: boolean;
  /** RFC 3339 time of a restored draft; undefined without one. */
  readonly draftFrom: string | undefined;
  /** Number of failed submits: each one moves the focus to the first wrong field. */
  readonly failedSubmits: number;
  set(name: Name, value: string): void;
  /** Replaces a form's values, removes its errors, and deletes its draft. */
  reset(values: Values<Name>): void;
  /** Shows a newer version's values in the fields without input. */
  rebase(older: Values<Name>, newer: Values<Name>): void;
  discardDraft(): void;
  submit(): Promise<void>;
}

interface FormOptions<Name extends string> {
  /** Prefix of the fields' element ids, and name of the draft: unique for each edited record. */
  readonly id: string;
  readonly initial: Values<Name>;
  /** True if the input holds a secret: no draft is saved. */
  readonly isSecret?: boolean;
  readonly base?: unknown;
  readonly check?: (values: Values<Name>) => Problems;
  /** Sends the form. @returns the values to show afterwards; nothing for the initial ones */
  readonly send: (values: Values<Name>, create: Create) => Promise<Values<Name>> | Promise<void>;
}

type Create = <Created>(path: string, body: unknown) => Promise<Versioned<Created>>;

export function useForm<Name extends string>(options: FormOptions<Name>): FormState<Name> {
  const { id, initial, isSecret = false, base, check, send } = options;
  const draft = useDraft(id, isSecret, base);
  const values = useSignal<Values<Name>>({ ...initial, ...draft.values });
  const problems = useSignal<Problems>({});
  const error = useSignal<PetstoreError | undefined>(undefined);
  const isSaving = useSignal(false);
  const failedSubmits = useSignal(0);
  /** True if Enter was pressed while the form was being saved: newer input is then submitted, too. */
  const isAgain = useRef(false);

  function reset(next: Values<Name>) {
    draft.drop();
    values.value = next;
    problems.value = {};
    error.value = undefined;
  }

  function showProblems(found: Problems) {
    problems.value = found;
    failedSubmits.value++;
  }

  async function submit() {
    isAgain.current = isSaving.value;
    if (isSaving.value) return;
    error.value = undefined;
    const sent = values.value;
    const found = check?.(sent) ?? {};
    if (Object.keys(found).length > 0) return showProblems(found);
    problems.value = {};
    isSaving.value = true;
    announcePolite("Saving…");
    try {
      const saved = await send(sent, (path, body) =>
        callVersioned(path, "POST", { body, idempotencyKey: idempotencyKeyFor(id, writeJson(body)) }),
      );
      const next = saved ?? initial;
      const since = typedSince(sent, values.value, next);
      reset({ ...next, ...since });
      isSaving.value = false;
      if (isAgain.current && Object.keys(since).length > 0) await submit();
    } catch (caught) {
      error.value = toPetstoreError(caught);
      showProblems(problemsOf(error.value, Object.keys(initial)));
    } finally {
      isSaving.value = false;
    }
  }

  return {
    id,
    values: values.value,
    problems: problems.value,
    error: error.value,
    isSaving: isSaving.value,
    draftFrom: draft.from,
    failedSubmits: failedSubmits.value,
    set(name, value) {
      values.value = { ...values.value, [name]: value };
      draft.save(typedOver(initial, values.value));
    },
    reset,
    discardDraft: () => reset(initial),
    rebase(older, newer) {
      values.value = { ...newer, ...typedOver(older, values.value) };
    },
    submit,
  };
}

/** Values that differ from the shown ones: drafts and changes hold only these, so that they undo no change by others. */
export function typedOver(
  shown: Readonly<Record<string, string>>,
  values: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(values).filter(([name, value]) => value !== shown[name]));
}

/** Input since the submit; in a field that the save clears, only the text after the sent part. */
function typedSince<Name extends string>(
  sent: Values<Name>,
  values: Values<Name>,
  next: Values<Name>,
): Partial<Values<Name>> {
  const since: Partial<Record<Name, string>> = {};
  for (const name in values) {
    const [before, now] = [sent[name], values[name]];
    const isEmptied = next[name] !== before && now.startsWith(before);
    if (now !== before) since[name] = isEmptied ? now.slice(before.length) : now;
  }
  return since;
}

function problemsOf(error: PetstoreError, names: readonly string[]): Problems {
  const found = error.members
    .map(({ pointer, detail }) => [pointer.slice(2), detail])
    .filter(([name = ""]) => names.includes(name));
  return Object.fromEntries(found);
}

/** The saved draft of a form. @param base the edited record, which is kept with the draft */
function useDraft(form: string, isSecret: boolean, base: unknown) {
  const draft = useMemo(() => (isSecret ? undefined : openDraft(form)), []);
  const from = useSignal(draft?.at);
  return {
    values: draft?.values,
    from: from.value,
    save(values: Readonly<Record<string, string>>) {
      if (!isSecret) saveDraft(form, values, base);
    },
    drop() {
      deleteDraft(form);
      from.value = undefined;
    },
  };
}
