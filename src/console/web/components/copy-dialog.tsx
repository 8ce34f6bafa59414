import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { Dialog, finishDialog } from "./dialog.tsx";

interface CopyDialogProps {
  readonly title: string;
  readonly what: string;
  readonly secret: string;
  readonly example?: string;
  readonly children: ComponentChildren;
}

/** A dialog with a secret that is shown only once. */
export function CopyDialog({ title, what, secret, example, children }: CopyDialogProps) {
  const isCopied = useSignal(false);
  const isAsked = useSignal(false);
  function close() {
    if (isCopied.value) finishDialog();
    else isAsked.value = true;
  }
  return (
    <Dialog title={title} onClose={finishDialog} onEscape={close}>
      <p>{children}</p>
      <Snippet
        id={what}
        heading={`The ${what}`}
        text={secret}
        what={what}
        onCopied={() => {
          isCopied.value = true;
        }}
      />
      {example && <Snippet id="example" heading="Try the key in a terminal" text={example} what="command" />}
      {isAsked.value && (
        <div class="alert" role="alert">
          <p>You haven't copied the {what}, and it won't be shown again.</p>
          <button type="button" class="secondary" onClick={finishDialog}>
            Close without copying
          </button>
        </div>
      )}
      <div class="actions">
        <button type="button" onClick={finishDialog}>
          I have copied the {what}
        </button>
      </div>
    </Dialog>
  );
}

interface SnippetProps {
  readonly id: string;
  readonly heading: string;
  readonly text: string;
  readonly what: string;
  /** Called when the text has been copied, either with the button or by hand. */
  readonly onCopied?: () => void;
}

/**
 * A text with a button that copies it. The button itself says whether that worked, because screen readers ignore a toast while a
 * dialog is open.
 */
function Snippet({ id, heading, text, what, onCopied }: SnippetProps) {
  const code = useRef<HTMLElement>(null);
  const outcome = useSignal("");
  async function copy() {
    outcome.value = "";
    const isCopied = await copyText(code.current);
    outcome.value = isCopied ? "Copied" : "The text is selected: press Ctrl+C or ⌘C to copy it";
    if (isCopied) onCopied?.();
  }
  return (
    <section class="snippet" aria-labelledby={`${id}-heading`}>
      <div class="snippet-header">
        <h3 id={`${id}-heading`}>{heading}</h3>
        <span class="copy">
          <span role="status">{outcome}</span>
          <button type="button" class="secondary" onClick={() => void copy()}>
            Copy {what}
          </button>
        </span>
      </div>
      <code ref={code} data-testid={id} onCopy={onCopied}>
        {text}
      </code>
    </section>
  );
}

/**
 * Copies the text of an element. If the clipboard is not available, because the page has no TLS or no permission, selects the
 * text instead, so that the person can copy it with the keyboard.
 */
async function copyText(element: HTMLElement | null): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(element?.textContent ?? "");
    return true;
  } catch {
    if (element !== null) getSelection()?.selectAllChildren(element);
    return false;
  }
}
