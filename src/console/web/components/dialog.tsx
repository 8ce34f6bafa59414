import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A modal dialog, open while it is there. The browser keeps the focus inside; closing gives it back to the opener. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useLayoutEffect(() => {
    const dialog = element.current;
    const opener = document.activeElement;
    dialog?.showModal();
    return () => {
      dialog?.close();
      // What was confirmed may have taken the opener with it; the heading stays.
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
