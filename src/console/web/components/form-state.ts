import { useSignal } from "@preact/signals";
import { writeJson } from "../../../../client/src/write-json.ts";
import { asFailure, type RequestFailure } from "../failure.ts";
import { announcePolite } from "./announce.tsx";
import { attemptKey, dropDraft, keepDraft, readDraft } from "./draft.ts";

export type Values<Name extends string> = Readonly<Record<Name, string>>;
/** What is wrong with which field, to be read after its label: "is required". */
export type Problems = Readonly<Record<string, string>>;

export interface FormState<Name extends string> {
  readonly id: string;
  readonly values: Values<Name>;
  readonly problems: Problems;
  readonly failure: RequestFailure | undefined;
  readonly isSaving: boolean;
  /** Grows with each refusal, so that the focus goes to what is wrong each time. */
  readonly refusals: number;
  set(name: Name, value: string): void;
  submit(): Promise<void>;
}

interface FormOptions<Name extends string> {
  /** Names the form's fields and its draft; for the change of one thing, with that thing's identifier. */
  readonly id: string;
  readonly initial: Values<Name>;
  /** Secrets are typed here: nothing is kept beyond the page. */
  readonly isSecret?: boolean;
  readonly check?: (values: Values<Name>) => Problems;
  /**
   * Saves; `keyFor` gives the idempotency key for a body that creates something.
   *
   * @returns what the form shows from then on; without that, it starts afresh
   */
  readonly send: (
    values: Values<Name>,
    keyFor: (body: unknown) => string,
  ) => Promise<Values<Name> | undefined>;
}

export function useForm<Name extends string>(options: FormOptions<Name>): FormState<Name> {
  const { id, initial, isSecret = false, check, send } = options;
  const values = useSignal<Values<Name>>({ ...initial, ...(isSecret ? {} : readDraft(id)) });
  const problems = useSignal<Problems>({});
  const failure = useSignal<RequestFailure | undefined>(undefined);
  const isSaving = useSignal(false);
  const refusals = useSignal(0);

  function start(from: Values<Name>): void {
    dropDraft(id);
    values.value = from;
    problems.value = {};
    failure.value = undefined;
  }

  function refuse(why: Problems): void {
    problems.value = why;
    refusals.value++;
  }

  async function submit(): Promise<void> {
    if (isSaving.value) return;
    failure.value = undefined;
    const found = check?.(values.value) ?? {};
    if (Object.keys(found).length > 0) return refuse(found);
    problems.value = {};
    isSaving.value = true;
    announcePolite("Saving…");
    try {
      const saved = await send(values.value, (body) => attemptKey(id, writeJson(body)));
      start(saved ?? initial);
    } catch (error) {
      failure.value = asFailure(error);
      refuse(problemsOf(failure.value, Object.keys(initial)));
    } finally {
      isSaving.value = false;
    }
  }

  return {
    id,
    values: values.value,
    problems: problems.value,
    failure: failure.value,
    isSaving: isSaving.value,
    refusals: refusals.value,
    set(name, value) {
      values.value = { ...values.value, [name]: value };
      if (!isSecret) keepDraft(id, values.value);
    },
    submit,
  };
}

function problemsOf(failure: RequestFailure, names: readonly string[]): Problems {
  const found = failure.problems
    .map(({ pointer, detail }) => [pointer.slice(2), detail])
    .filter(([name = ""]) => names.includes(name));
  return Object.fromEntries(found);
}
