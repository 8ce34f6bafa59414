import { signal, useSignal } from "@preact/signals";
import { type ComponentChildren, Fragment } from "preact";
import { useEffect, useId, useLayoutEffect, useRef } from "preact/hooks";
import { route } from "../router.ts";

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  /** Called when the person presses Escape. If left out, `onClose` is called instead. */
  readonly onEscape?: (() => void) | undefined;
  /** True if the dialog only waits for its content. It is then shown with a delay, so that a dialog that opens quickly does not flicker. */
  readonly isPending?: boolean;
  readonly children: ComponentChildren;
}

/** A modal dialog that is open while it is mounted. When it closes, the focus returns to the element that opened it. */
export function Dialog({ title, onClose, onEscape, isPending = false, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useLayoutEffect(() => {
    const dialog = element.current;
    const opener = document.activeElement;
    const isInList = opener?.closest(".list") !== null;
    dialog?.showModal();
    // By default, the browser would focus the first button, which may discard what the person has typed. Therefore, the first
    // field of a form gets the focus.
    dialog?.querySelector<HTMLElement>("form :is(input, select, textarea)")?.focus();
    return () => {
      dialog?.close();
      if (opener instanceof HTMLElement) opener.focus();
      // If the element that opened the dialog cannot get the focus, a field of the closed dialog may still have it.
      const { activeElement, body } = document;
      if (activeElement !== body && !dialog?.contains(activeElement)) return;
      // The element that opened the dialog no longer exists. If it was in a list, a row of the list gets the focus, and otherwise
      // the heading.
      const row = isInList ? document.querySelector<HTMLElement>(".list tbody th [tabindex='0']") : null;
      (row ?? document.querySelector("h1"))?.focus();
    };
  }, []);

  return (
    <dialog
      ref={element}
      class={isPending ? "pending" : undefined}
      aria-labelledby={titleId}
      onCancel={onEscape ?? onClose}
      // Handles Escape in addition to `cancel`, because the browser closes a dialog at the second `cancel` event even if a
      // listener prevents the default action.
      onKeyDown={(event) => {
        if (onEscape === undefined || event.key !== "Escape" || event.defaultPrevented || event.isComposing)
          return;
        event.preventDefault();
        onEscape();
      }}
    >
      <article>
        <h2 id={titleId} dir="auto" class="clamped">
          <span key={title}>{title}</span>
        </h2>
        {children}
      </article>
    </dialog>
  );
}

/** The state of a dialog: the record that the dialog is about, or undefined while the dialog is closed. */
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

interface Opened {
  readonly number: number;
  readonly content: ComponentChildren;
}

const opened = signal<Opened | undefined>(undefined);

/** Opens a dialog over the list, and closes any other dialog. The dialog closes when the address changes. */
export function openDialog(content: ComponentChildren): void {
  opened.value = { number: (opened.value?.number ?? 0) + 1, content };
}

export function closeDialog(): void {
  opened.value = undefined;
}

let onFinished = () => {};

/** Closes the dialog after a change, and updates the list behind it. */
export function finishDialog(): void {
  closeDialog();
  onFinished();
}

export function ListDialog(props: { readonly onFinished: () => void }) {
  // This is a layout effect, so that it does not close a dialog that is opened before the new page has been painted.
  useLayoutEffect(() => closeDialog, [route.value]);
  useEffect(() => {
    onFinished = props.onFinished;
  });
  return opened.value && <Fragment key={opened.value.number}>{opened.value.content}</Fragment>;
}
