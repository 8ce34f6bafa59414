import type { ComponentChildren } from "preact";
import { closeDialog, Dialog } from "./dialog.tsx";
import type { Explain } from "./error-alert.tsx";
import { Form } from "./form.tsx";
import type { FormState } from "./form-state.ts";

interface FormDialogProps<Name extends string> {
  readonly title: string;
  readonly form: FormState<Name>;
  readonly submitLabel: string;
  readonly explain?: Explain;
  readonly onClose?: () => void;
  /** Called when the person presses Escape. If left out, Escape acts like Cancel. */
  readonly onEscape?: () => void;
  readonly children: ComponentChildren;
}

export function FormDialog<Name extends string>(props: FormDialogProps<Name>) {
  const { title, form, submitLabel, explain, onClose = closeDialog, onEscape, children } = props;
  const cancel = (
    <button type="button" class="secondary" onClick={onClose}>
      Cancel
    </button>
  );
  return (
    <Dialog title={title} onClose={onClose} onEscape={onEscape}>
      <Form
        form={form}
        label={title}
        submitLabel={submitLabel}
        busyLabel="Saving…"
        actions={cancel}
        explain={explain}
      >
        {children}
      </Form>
    </Dialog>
  );
}
