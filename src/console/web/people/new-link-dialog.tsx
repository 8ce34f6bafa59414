import { CopyDialog } from "../components/copy-dialog.tsx";
import { Snippet } from "../components/snippet.tsx";
import { Timestamp } from "../components/timestamp.tsx";

/** A one-time link that was just made. */
export interface NewLink {
  readonly link: string;
  readonly expiresAt: string;
  readonly title: string;
  readonly text: string;
}

export function NewLinkDialog({
  link,
  expiresAt,
  title,
  text,
  onClose,
}: NewLink & { readonly onClose: () => void }) {
  return (
    <CopyDialog title={title} what="link" onClose={onClose}>
      <p>
        {text} Send it by a way that others do not read. It works until <Timestamp at={expiresAt} />, is not
        shown again, and ends the link before it.
      </p>
      <Snippet id="link" heading="Link" text={link} what="link" />
    </CopyDialog>
  );
}
