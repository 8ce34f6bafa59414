import type { Webhook, WebhookWithSecret } from "../../../webhooks/contract.ts";
import { Badge } from "../components/badge.tsx";
import { timeColumn, wordColumn } from "../components/columns.tsx";
import { CopyDialog } from "../components/copy-dialog.tsx";
import { openDialog } from "../components/dialog.tsx";
import { FormDialog } from "../components/form-dialog.tsx";
import { useForm } from "../components/form-state.ts";
import { ListScreen } from "../components/list-screen.tsx";
import { usePage } from "../components/paged-list.tsx";
import {
  ALL_TYPES,
  checkWebhook,
  typesText,
  type WebhookField,
  WebhookFields,
  webhookFrom,
  webhookPath,
} from "./webhook-fields.tsx";

export function Webhooks() {
  const webhooks = usePage<Webhook>("/webhooks");
  return (
    <ListScreen
      title="Webhooks"
      create={{ label: "New webhook", dialog: <NewWebhook /> }}
      what="webhooks"
      loaded={webhooks}
      empty="No webhooks yet."
      hint="Get a request at your URL when something changes."
      columns={COLUMNS}
      isInactive={({ status }) => status === "disabled"}
    />
  );
}

const COLUMNS = {
  Address: ({ id, url }: Webhook) => <a href={webhookPath(id)}>{url}</a>,
  Events: ({ types }: Webhook) => typesText(types),
  Status: wordColumn(({ status }: Webhook) => <Badge status={status} />),
  Added: timeColumn(({ createdAt }: Webhook) => createdAt),
};

function NewWebhook() {
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
