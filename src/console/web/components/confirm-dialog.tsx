import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { type RequestError, toRequestError } from "../request-error.ts";
import { Dialog } from "./dialog.tsx";
import { ErrorAlert } from "./error-alert.tsx";

interface ConfirmDialogProps {
  readonly title: string;
  /** Label of the button that confirms. */
  readonly confirmLabel: string;
  /** Label of the button that closes the dialog. */
  readonly cancelLabel: string;
  readonly children: ComponentChildren;
  readonly onConfirm: () => Promise<void>;
  readonly onClose: () => void;
}

/** Asks before something that cannot be undone, and shows an error without closing. */
export function ConfirmDialog({
  title,
  confirmLabel,
  cancelLabel,
  children,
  onConfirm,
  onClose,
}: ConfirmDialogProps) {
  const isBusy = useSignal(false);
  const error = useSignal<RequestError | undefined>(undefined);

  async function confirm(): Promise<void> {
    isBusy.value = true;
    error.value = undefined;
    try {
      await onConfirm();
      onClose();
    } catch (caught) {
      error.value = toRequestError(caught);
      isBusy.value = false;
    }
  }

  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      {error.value && <ErrorAlert error={error.value} />}
      <div class="actions">
        <button type="button" class="secondary" onClick={onClose}>
          {cancelLabel}
        </button>
        <button
          type="button"
          class="danger"
          disabled={isBusy.value}
          aria-busy={isBusy.value}
          onClick={() => void confirm()}
        >
          {error.value?.isTransient ? "Try again" : confirmLabel}
        </button>
      </div>
    </Dialog>
  );
}
