import type { ComponentChildren } from "preact";
import { Dialog } from "./dialog.tsx";

interface CopyDialogProps {
  readonly title: string;
  /** `key` */
  readonly what: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** For a secret that is shown once. */
export function CopyDialog({ title, what, onClose, children }: CopyDialogProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      <div class="actions">
        <button type="button" onClick={onClose}>
          I have copied the {what}
        </button>
      </div>
    </Dialog>
  );
}
