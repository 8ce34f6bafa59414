import type { Webhook } from "../../../webhooks/contract.ts";
import { Badge } from "../components/badge.tsx";
import { timeColumn, wordColumn } from "../components/columns.tsx";
import { lazyDialog } from "../components/lazy-dialog.tsx";
import { ListScreen } from "../components/list-screen.tsx";
import { usePage } from "../components/paged-list.tsx";
import { typesText, webhookPath } from "./webhook-fields.tsx";

const NewWebhook = lazyDialog(async () => (await import("./new-webhook.tsx")).NewWebhook);

export function Webhooks() {
  const webhooks = usePage<Webhook>("/webhooks");
  return (
    <ListScreen
      title="Webhooks"
      create={{ label: "New webhook", dialog: <NewWebhook /> }}
      what="webhooks"
      loaded={webhooks}
      empty="No webhooks yet."
      hint="petstore sends a request to your URL when something changes."
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
