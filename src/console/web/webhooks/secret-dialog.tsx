import { CopyDialog } from "../components/dialog.tsx";
import { Snippet } from "../components/snippet.tsx";

export function SecretDialog({ secret, onClose }: { readonly secret: string; readonly onClose: () => void }) {
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
