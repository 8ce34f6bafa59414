import type { Webhook, WebhookWithSecret } from "../../../webhooks/contract.ts";
import { timeColumn, wordColumn } from "../components/columns.tsx";
import { FormDialog } from "../components/form-dialog.tsx";
import { useForm } from "../components/form-state.ts";
import { ListScreen } from "../components/list-screen.tsx";
import { usePage } from "../components/paged-list.tsx";
import { showSecret } from "./secret-dialog.tsx";
import { ALL_TYPES, typesText } from "./types-field.tsx";
import {
  checkWebhook,
  WebhookBadge,
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
      hint="Add the address of a program that is to know what changes in the store."
      columns={COLUMNS}
      isInactive={({ status }) => status === "disabled"}
    />
  );
}

const COLUMNS = {
  Address: ({ id, url }: Webhook) => <a href={webhookPath(id)}>{url}</a>,
  Events: ({ types }: Webhook) => typesText(types),
  Status: wordColumn(({ status }: Webhook) => <WebhookBadge status={status} />),
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
