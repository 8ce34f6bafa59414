import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A modal dialog, open while it is mounted. Closing it returns the focus to the element that opened it. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useLayoutEffect(() => {
    const dialog = element.current;
    const opener = document.activeElement;
    dialog?.showModal();
    return () => {
      dialog?.close();
      // The heading gets the focus if the opener is gone, for example with its row.
      const heading = document.querySelector("h1");
      (opener instanceof HTMLElement && opener.isConnected ? opener : heading)?.focus();
    };
  }, []);

  return (
    <dialog ref={element} aria-labelledby={titleId} onCancel={onClose}>
      <article>
        <h2 id={titleId} dir="auto" class="clamped">
          {title}
        </h2>
        {children}
      </article>
    </dialog>
  );
}

/** State of a dialog: the record it is open for; undefined while it is closed. */
export function useDialog<Subject>(initial?: Subject) {
  const subject = useSignal(initial);
  return {
    subject: subject.value,
    open(next: Subject) {
      subject.value = next;
    },
    close() {
      subject.value = undefined;
    },
  };
}

interface CopyDialogProps {
  readonly title: string;
  readonly what: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A dialog with a secret that is shown only once. */
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
