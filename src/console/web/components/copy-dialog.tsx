import type { ComponentChildren } from "preact";
import { Dialog, finishDialog } from "./dialog.tsx";
import { Snippet } from "./snippet.tsx";

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
