import { session } from "../account/session.ts";
import { CopyDialog } from "../components/copy-dialog.tsx";
import { Snippet } from "../components/snippet.tsx";

interface NewKeyDialogProps {
  readonly token: string;
  readonly onClose: () => void;
}

export function NewKeyDialog({ token, onClose }: NewKeyDialogProps) {
  const curl = `curl ${session.value?.api}/pets -H "Authorization: Bearer ${token}"`;
  return (
    <CopyDialog title="Your new key" what="key" onClose={onClose}>
      <p>Copy the key now: it is not shown again. The store keeps only its SHA-256 hash.</p>
      <Snippet id="token" heading="Key" text={token} what="key" />
      <Snippet id="curl" heading="Try it in a terminal" text={curl} what="command" />
    </CopyDialog>
  );
}
