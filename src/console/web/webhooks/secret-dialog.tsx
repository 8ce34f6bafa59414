import { CopyDialog } from "../components/dialog.tsx";
import { Snippet } from "../components/snippet.tsx";

interface SecretDialogProps {
  readonly secret: string;
  readonly onClose: () => void;
}

export function SecretDialog({ secret, onClose }: SecretDialogProps) {
  return (
    <CopyDialog title="The webhook's secret" what="secret" onClose={onClose}>
      <p>
        Copy the secret now: it is not shown again. With it the program at the address checks that a delivery
        is from this store (Standard Webhooks).
      </p>
      <Snippet id="secret" heading="Secret" text={secret} what="secret" />
    </CopyDialog>
  );
}
