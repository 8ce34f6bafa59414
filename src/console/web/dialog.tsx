import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A modal dialog, open while it is there. The browser keeps the focus inside and gives it back to the opener. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    const dialog = element.current;
    const opener = document.activeElement;
    dialog?.showModal();
    return () => {
      dialog?.close();
      // What was confirmed may have taken the opener with it.
      if (!opener?.isConnected) document.querySelector("h1")?.focus();
    };
  }, []);

  return (
    <dialog ref={element} aria-labelledby={heading} onCancel={onClose}>
      <article>
        <h2 id={heading} dir="auto" class="clamped">
          {title}
        </h2>
        {children}
      </article>
    </dialog>
  );
}
