import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { Dialog, finishDialog } from "./dialog.tsx";

interface CopyDialogProps {
  readonly title: string;
  readonly what: string;
  readonly secret: string;
  /** A command that uses the secret. */
  readonly example?: string;
  readonly children: ComponentChildren;
}

/** A dialog with a secret that is shown only once. */
export function CopyDialog({ title, what, secret, example, children }: CopyDialogProps) {
  return (
    <Dialog title={title} onClose={finishDialog}>
      <p>{children}</p>
      <Snippet id={what} heading={`The ${what}`} text={secret} what={what} />
      {example && <Snippet id="example" heading="Try it in a terminal" text={example} what="command" />}
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
}

/** A text to copy. The outcome stands next to the button: screen readers skip a toast outside an open dialog. */
function Snippet({ id, heading, text, what }: SnippetProps) {
  const code = useRef<HTMLElement>(null);
  const outcome = useSignal("");
  async function copy() {
    outcome.value = "";
    outcome.value = (await copyText(code.current)) ? "Copied" : "Selected: press Ctrl+C or ⌘C";
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
      <code ref={code} data-testid={id}>
        {text}
      </code>
    </section>
  );
}

/** Copies an element's text; without TLS or permission, selects it for copying by keyboard. */
async function copyText(element: HTMLElement | null): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(element?.textContent ?? "");
    return true;
  } catch {
    if (element !== null) getSelection()?.selectAllChildren(element);
    return false;
  }
}
