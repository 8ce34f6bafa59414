import type { Webhook, WebhookWithSecret } from "../../../webhooks/contract.ts";
import { useDialog } from "../components/dialog.tsx";
import { Empty } from "../components/empty.tsx";
import { Form } from "../components/form.tsx";
import { useForm } from "../components/form-state.ts";
import { ListTable } from "../components/list-table.tsx";
import { PagedList, usePage } from "../components/paged-list.tsx";
import { Screen } from "../components/screen.tsx";
import { Timestamp } from "../components/timestamp.tsx";
import { callPage } from "../request.ts";
import { SecretDialog } from "./secret-dialog.tsx";
import { ALL_TYPES, typesText } from "./types-field.tsx";
import {
  checkWebhook,
  WEBHOOK_STATUS_WORDS,
  type WebhookField,
  WebhookFields,
  webhookFrom,
  webhookPath,
} from "./webhook-fields.tsx";

export function Webhooks() {
  const webhooks = usePage((query, signal) => callPage<Webhook>("/webhooks", { query, signal }));
  return (
    <Screen title="Webhooks">
      <div class="stack">
        <AddWebhook onAdded={webhooks.reload} />
        <PagedList loaded={webhooks} what="webhooks" empty={<NoWebhooks />}>
          {({ items }) => (
            <ListTable
              label="Webhooks"
              rows={items}
              columns={COLUMNS}
              isInactive={({ status }) => status === "disabled"}
            />
          )}
        </PagedList>
      </div>
    </Screen>
  );
}

function NoWebhooks() {
  return (
    <Empty title="No webhooks yet.">
      <p>
        Add the address of a program that is to know what changes in the store. The{" "}
        <a href="/docs#pet">API reference</a> has what is delivered.
      </p>
    </Empty>
  );
}

const COLUMNS = {
  Address: ({ id, url }: Webhook) => (
    <a href={webhookPath(id)} class="breakable">
      {url}
    </a>
  ),
  Events: ({ types }: Webhook) => typesText(types),
  Status: ({ status }: Webhook) => <WebhookBadge status={status} />,
  Added: ({ createdAt }: Webhook) => <Timestamp at={createdAt} precision="day" />,
};

export function WebhookBadge({ status }: Pick<Webhook, "status">) {
  return <span class={`badge ${status === "enabled" ? "active" : ""}`}>{WEBHOOK_STATUS_WORDS[status]}</span>;
}

function AddWebhook({ onAdded }: { readonly onAdded: () => Promise<void> }) {
  const secret = useDialog<string>();
  const form = useForm<WebhookField>({
    id: "new-webhook",
    initial: { url: "", types: ALL_TYPES },
    check: checkWebhook,
    async send(values, create) {
      const made = await create<WebhookWithSecret>("/webhooks", webhookFrom(values));
      secret.open(made.secret);
      document.getElementById("new-webhook-url")?.focus();
      void onAdded();
    },
  });
  return (
    <section class="card">
      <h2>New webhook</h2>
      <Form form={form} label="Add a webhook" submitLabel="Add webhook" busyLabel="Adding…">
        <WebhookFields form={form} />
      </Form>
      {secret.subject && <SecretDialog secret={secret.subject} onClose={secret.close} />}
    </section>
  );
}
