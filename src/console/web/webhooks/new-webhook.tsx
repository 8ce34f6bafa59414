import type { WebhookWithSecret } from "../../../webhooks/contract.ts";
import { CopyDialog } from "../components/copy-dialog.tsx";
import { openDialog } from "../components/dialog.tsx";
import { FormDialog } from "../components/form-dialog.tsx";
import { useForm } from "../components/form-state.ts";
import { ALL_TYPES, checkWebhook, type WebhookField, WebhookFields, webhookFrom } from "./webhook-fields.tsx";

export function NewWebhook() {
  const form = useForm<WebhookField>({
    id: "new-webhook",
    initial: { url: "", types: ALL_TYPES },
    check: checkWebhook,
    async send(values, create) {
      showSecret(await create<WebhookWithSecret>("/webhooks", webhookFrom(values)));
    },
  });
  return (
    <FormDialog title="New webhook" form={form} submitLabel="Add webhook">
      <WebhookFields form={form} />
    </FormDialog>
  );
}

export function showSecret({ secret }: WebhookWithSecret): void {
  openDialog(
    <CopyDialog title="The webhook's secret" what="secret" secret={secret}>
      Copy the secret now. You won't see it again. Your program needs it to verify that a delivery comes from
      this store (Standard Webhooks).
    </CopyDialog>,
  );
}
