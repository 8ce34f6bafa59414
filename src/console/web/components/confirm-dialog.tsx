import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { asFailure, type RequestFailure } from "../failure.ts";
import { Dialog } from "./dialog.tsx";
import { FailureAlert } from "./failure-alert.tsx";

interface ConfirmDialogProps {
  readonly title: string;
  /** What the button that does it says. */
  readonly action: string;
  /** What the button that does nothing says. */
  readonly retreat: string;
  readonly children: ComponentChildren;
  readonly onConfirm: () => Promise<void>;
  readonly onClose: () => void;
}

/** Asks before something that cannot be taken back; a refusal is told in the dialog. */
export function ConfirmDialog({ title, action, retreat, children, onConfirm, onClose }: ConfirmDialogProps) {
  const isBusy = useSignal(false);
  const failure = useSignal<RequestFailure | undefined>(undefined);

  async function confirm(): Promise<void> {
    isBusy.value = true;
    failure.value = undefined;
    try {
      await onConfirm();
      onClose();
    } catch (error) {
      failure.value = asFailure(error);
      isBusy.value = false;
    }
  }

  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      {failure.value && <FailureAlert failure={failure.value} />}
      <div class="actions">
        <button type="button" class="secondary" onClick={onClose}>
          {retreat}
        </button>
        <button
          type="button"
          class="danger"
          disabled={isBusy.value}
          aria-busy={isBusy.value}
          onClick={() => void confirm()}
        >
          {failure.value?.isPassing ? "Try again" : action}
        </button>
      </div>
    </Dialog>
  );
}
