import type { ComponentChildren } from "preact";
import { closeDialog, Dialog } from "./dialog.tsx";
import { Form } from "./form.tsx";
import type { FormState } from "./form-state.ts";

interface FormDialogProps<Name extends string> {
  readonly title: string;
  readonly form: FormState<Name>;
  readonly submitLabel: string;
  readonly children: ComponentChildren;
}

/** A dialog with a form of `openDialog`. The form closes it, or opens another one, when it is saved. */
export function FormDialog<Name extends string>({
  title,
  form,
  submitLabel,
  children,
}: FormDialogProps<Name>) {
  const cancel = (
    <button type="button" class="secondary" onClick={closeDialog}>
      Cancel
    </button>
  );
  return (
    <Dialog title={title} onClose={closeDialog}>
      <Form form={form} label={title} submitLabel={submitLabel} busyLabel="Saving…" actions={cancel}>
        {children}
      </Form>
    </Dialog>
  );
}
