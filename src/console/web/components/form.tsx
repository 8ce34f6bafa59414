import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { isTransient } from "../request-error.ts";
import { ErrorAlert, type Explain } from "./error-alert.tsx";
import type { FormState } from "./form-state.ts";

interface FormProps<Name extends string> {
  readonly form: FormState<Name>;
  readonly label: string;
  readonly submitLabel: string;
  readonly busyLabel: string;
  readonly isDangerous?: boolean;
  readonly explain?: Explain;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A form that keeps its contents when a request fails, and moves the focus to the first field with an error. */
export function Form<Name extends string>(props: FormProps<Name>) {
  const { form, label, submitLabel, busyLabel, isDangerous, explain, actions, children } = props;
  const element = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => {
    if (form.failedSubmits > 0) element.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [form.failedSubmits]);

  function onSubmit(event: SubmitEvent) {
    event.preventDefault();
    void form.submit();
  }

  return (
    <form ref={element} aria-label={label} aria-busy={form.isSaving} noValidate onSubmit={onSubmit}>
      {children}
      <FormError form={form} explain={explain} />
      <div class="actions">
        <button
          type="submit"
          class={isDangerous ? "danger" : undefined}
          translate={false}
          aria-busy={form.isSaving}
        >
          {form.isSaving ? busyLabel : submitLabel}
        </button>
        {actions}
      </div>
    </form>
  );
}

/** Shows an error that concerns the whole form. Shows nothing if all problems are already shown at the fields. */
function FormError<Name extends string>({ form, explain }: Pick<FormProps<Name>, "form" | "explain">) {
  const { error, problems } = form;
  if (error === undefined) return null;
  const shown = Object.keys(problems).length;
  if (shown > 0 && shown === error.members.length) return null;
  return (
    <ErrorAlert error={error} explain={explain}>
      {isTransient(error) && <p>Your text is kept.</p>}
    </ErrorAlert>
  );
}
