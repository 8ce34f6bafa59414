import type { WebhookWithSecret } from "../../../webhooks/contract.ts";
import { CopyDialog } from "../components/copy-dialog.tsx";
import { openDialog } from "../components/dialog.tsx";

export function showSecret({ secret }: WebhookWithSecret): void {
  openDialog(
    <CopyDialog title="The webhook's secret" what="secret" secret={secret}>
      Copy the secret now: it is not shown again. With it the program at the address checks that a delivery is
      from this store (Standard Webhooks).
    </CopyDialog>,
  );
}
