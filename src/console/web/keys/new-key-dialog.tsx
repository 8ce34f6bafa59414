import { useRef } from "preact/hooks";
import { session } from "../account/session.ts";
import { CopyButton } from "../components/copy-button.tsx";
import { Dialog } from "../components/dialog.tsx";

interface NewKeyDialogProps {
  readonly token: string;
  readonly onClose: () => void;
}

export function NewKeyDialog({ token, onClose }: NewKeyDialogProps) {
  const curl = `curl ${session.value?.api}/pets -H "Authorization: Bearer ${token}"`;
  return (
    <Dialog title="Your new key" onClose={onClose}>
      <p>Copy the key now: it is not shown again. The store keeps only its SHA-256 hash.</p>
      <Snippet id="token" heading="Key" text={token} what="key" />
      <Snippet id="curl" heading="Try it in a terminal" text={curl} what="command" />
      <div class="actions">
        <button type="button" onClick={onClose}>
          I have copied the key
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

function Snippet({ id, heading, text, what }: SnippetProps) {
  const code = useRef<HTMLElement>(null);
  return (
    <section class="snippet" aria-labelledby={`${id}-heading`}>
      <div class="snippet-header">
        <h3 id={`${id}-heading`}>{heading}</h3>
        <CopyButton source={code} label={`Copy ${what}`} />
      </div>
      <code ref={code} data-testid={id}>
        {text}
      </code>
    </section>
  );
}
