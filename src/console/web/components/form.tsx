import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { FailureAlert } from "./failure-alert.tsx";
import type { FormState } from "./form-state.ts";

interface FormProps<Name extends string> {
  readonly form: FormState<Name>;
  /** The form's accessible name. */
  readonly label: string;
  readonly submitLabel: string;
  readonly busyLabel: string;
  readonly isDangerous?: boolean;
  /** More buttons, beside the one that saves. */
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A form that is never emptied by a failure, and that leads to what is wrong. */
export function Form<Name extends string>(props: FormProps<Name>) {
  const { form, label, submitLabel, busyLabel, isDangerous, actions, children } = props;
  const element = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => {
    if (form.refusals > 0 && element.current !== null) leadToProblem(element.current);
  }, [form.refusals]);

  function onSubmit(event: SubmitEvent): void {
    event.preventDefault();
    void form.submit();
  }

  return (
    <form ref={element} aria-label={label} aria-busy={form.isSaving} noValidate onSubmit={onSubmit}>
      {children}
      <FormFailure form={form} />
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

/** Nothing for a refusal that is told in full beside the fields. */
function FormFailure<Name extends string>({ form }: { readonly form: FormState<Name> }) {
  const { failure, problems } = form;
  if (failure === undefined) return null;
  const told = Object.keys(problems).length;
  if (told > 0 && told === failure.problems.length) return null;
  if (!failure.isPassing) return <FailureAlert failure={failure} />;
  return (
    <FailureAlert failure={failure} reassurance="What you typed is still here.">
      <button type="submit" class="secondary" disabled={form.isSaving}>
        Try again
      </button>
    </FailureAlert>
  );
}

/** The first wrong field; without one, the button, which lost the focus while it was disabled. */
function leadToProblem(element: HTMLFormElement): void {
  const wrong = element.querySelector<HTMLElement>("[aria-invalid=true]");
  const button = element.querySelector<HTMLElement>(".alert button, .actions [type=submit]");
  (wrong ?? button)?.focus();
}
