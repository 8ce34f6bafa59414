import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { deleteDraft, openDraft, saveDraft } from "./draft.ts";

interface FormDraft {
  /** What an earlier visit has typed. */
  readonly values: Readonly<Record<string, string>> | undefined;
  /** When it was typed, in RFC 3339; undefined without a draft. */
  readonly from: string | undefined;
  save(values: Readonly<Record<string, string>>): void;
  drop(): void;
}

/** @param base the record that is typed over: it is kept with the draft */
export function useDraft(form: string, isSecret: boolean, base: unknown): FormDraft {
  const draft = useMemo(() => (isSecret ? undefined : openDraft(form)), []);
  const from = useSignal(draft?.at);
  return {
    values: draft?.values,
    from: from.value,
    save(values) {
      if (!isSecret) saveDraft(form, values, base);
    },
    drop() {
      deleteDraft(form);
      from.value = undefined;
    },
  };
}
