import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { isTransient } from "../request-error.ts";
import { ErrorAlert, type Explain } from "./error-alert.tsx";
import type { FormState } from "./form-state.ts";
import { Timestamp } from "./timestamp.tsx";

interface FormProps<Name extends string> {
  readonly form: FormState<Name>;
  readonly label: string;
  readonly submitLabel: string;
  readonly busyLabel: string;
  readonly isDangerous?: boolean;
  readonly explain?: Explain;
  /** Content shown in a form in place of its error, such as a choice after a conflict. */
  readonly notice?: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** Statuses whose errors may be replaced by a notice: not found, precondition failed. */
const LEADS_TO_NOTICE: readonly number[] = [404, 412];

/** A form that keeps its input when a request fails, and moves the focus to the first wrong field. */
export function Form<Name extends string>(props: FormProps<Name>) {
  const { form, label, submitLabel, busyLabel, isDangerous, explain, notice, actions, children } = props;
  const element = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => {
    if (form.failedSubmits > 0 && element.current !== null) focusFirstProblem(element.current);
  }, [form.failedSubmits]);

  function onSubmit(event: SubmitEvent) {
    event.preventDefault();
    void form.submit();
  }

  /** Queues a submit on Enter during a save: browsers do not submit while the button is disabled. */
  function onKeyDown({ key, defaultPrevented, target }: KeyboardEvent) {
    const isEnter = key === "Enter" && !defaultPrevented && target instanceof HTMLInputElement;
    if (isEnter && form.isSaving) void form.submit();
  }

  function discard() {
    form.discardDraft();
    element.current?.querySelector<HTMLElement>("input, select, textarea")?.focus();
  }

  return (
    <form
      ref={element}
      aria-label={label}
      aria-busy={form.isSaving}
      noValidate
      onSubmit={onSubmit}
      onKeyDown={onKeyDown}
    >
      {form.draftFrom && (
        <p class="draft">
          Draft from <Timestamp at={form.draftFrom} />
          {" · "}
          <button type="button" class="link" onClick={discard}>
            Discard
          </button>
        </p>
      )}
      {children}
      {notice}
      {!(notice && LEADS_TO_NOTICE.includes(form.error?.status ?? 0)) && (
        <FormError form={form} explain={explain} />
      )}
      <div class="actions">
        <button
          type="submit"
          class={isDangerous ? "danger" : undefined}
          disabled={form.isSaving}
          aria-busy={form.isSaving}
        >
          {form.isSaving ? busyLabel : submitLabel}
        </button>
        {actions}
      </div>
    </form>
  );
}

/** The form's error; empty if the fields show all its problems. */
function FormError<Name extends string>({ form, explain }: Pick<FormProps<Name>, "form" | "explain">) {
  const { error, problems } = form;
  if (error === undefined) return null;
  const shown = Object.keys(problems).length;
  if (shown > 0 && shown === error.members.length) return null;
  if (!isTransient(error)) return <ErrorAlert error={error} explain={explain} />;
  return (
    <ErrorAlert error={error} reassurance="What you typed is still here.">
      <button type="submit" class="secondary" disabled={form.isSaving}>
        Try again
      </button>
    </ErrorAlert>
  );
}

/** Focuses the first invalid field, or else the submit button, which lost the focus when it was disabled. */
function focusFirstProblem(element: HTMLFormElement) {
  const wrong = element.querySelector<HTMLElement>("[aria-invalid=true]");
  const button = element.querySelector<HTMLElement>(
    ".alert :is(:checked, [type=submit]), .actions [type=submit]",
  );
  (wrong ?? button)?.focus();
}
