import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import type { PetstoreError } from "../../../../client/src/errors.ts";
import { isTransient, toPetstoreError } from "../request-error.ts";
import { announce } from "./announce.tsx";
import { closeDialog, Dialog, finishDialog } from "./dialog.tsx";
import { ErrorAlert, type Explain } from "./error-alert.tsx";

/** Functions that are called when the dialog closes. A dialog that was opened with `openDialog` needs none. */
export interface DeleteListeners {
  readonly onDeleted?: () => void | Promise<void>;
  readonly onClose?: () => void;
}

interface DeleteDialogProps extends DeleteListeners {
  readonly title: string;
  readonly send: () => Promise<unknown>;
  /** The text to announce after the deletion, such as `Rex removed`. */
  readonly outcome: string;
  readonly confirmLabel: string;
  readonly cancelLabel: string;
  readonly explain?: Explain;
  readonly children: ComponentChildren;
}

/** A dialog that asks for confirmation, and then sends the request to delete something. After an error, the dialog stays open. */
export function DeleteDialog(props: DeleteDialogProps) {
  const { title, send, outcome, confirmLabel, cancelLabel, explain } = props;
  const { children, onDeleted = finishDialog, onClose = closeDialog } = props;
  const isBusy = useSignal(false);
  const error = useSignal<PetstoreError | undefined>(undefined);

  async function confirm() {
    isBusy.value = true;
    error.value = undefined;
    try {
      await send();
      announce(outcome);
      await onDeleted();
      onClose();
    } catch (caught) {
      error.value = toPetstoreError(caught);
      isBusy.value = false;
    }
  }

  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      {error.value && <ErrorAlert error={error.value} explain={explain} />}
      <div class="actions">
        <button type="button" class="secondary" onClick={onClose}>
          {cancelLabel}
        </button>
        <button
          type="button"
          class="danger"
          translate={false}
          disabled={isBusy.value}
          aria-busy={isBusy.value}
          onClick={() => void confirm()}
        >
          {error.value && isTransient(error.value) ? "Try again" : confirmLabel}
        </button>
      </div>
    </Dialog>
  );
}
