import type { Delivery } from "../../../webhooks/delivery-contract.ts";
import { AttemptsButton, attemptText } from "../components/attempts.tsx";
import { timeColumn, wordColumn } from "../components/columns.tsx";
import { DeliveryBadge, STATUS_CHOICES } from "../components/delivery-badge.tsx";
import { ListScreen } from "../components/list-screen.tsx";
import { usePage } from "../components/paged-list.tsx";
import { FilterTabs } from "../components/status-filter.tsx";
import { route } from "../router.ts";
import { useLoad } from "../use-load.ts";
import { usePolling } from "../use-polling.ts";
import { typesText, typeWords } from "./types-field.tsx";
import { WebhookActions } from "./webhook-actions.tsx";
import { readWebhook, WebhookBadge, webhookPath } from "./webhook-fields.tsx";

const TABS = [{ value: "", label: "All" }, ...STATUS_CHOICES];

export function WebhookScreen({ id }: { readonly id: string }) {
  const webhook = useLoad(() => readWebhook(id), [id]);
  const path = webhookPath(id);
  const status = route.value.query.get("status") ?? undefined;
  const deliveries = usePage<Delivery>(`${path}/deliveries`, { status });
  const queued = deliveries.value?.items.filter(({ status }) => status === "queued") ?? [];
  usePolling(queued.map((one) => `${one.id}:${one.attempts.length}`).join(" "), deliveries.reload);
  return (
    <ListScreen
      title={`Webhook ${id}`}
      within="Webhooks"
      also={webhook.value && <WebhookActions webhook={webhook.value} onTested={deliveries.reload} />}
      onFinished={webhook.reload}
      what="deliveries"
      loaded={deliveries}
      empty="No deliveries."
      columns={COLUMNS}
      actions={({ id: number }) => (
        <AttemptsButton path={`${path}/deliveries/${number}`} name={`delivery ${number}`} isResendable />
      )}
    >
      {webhook.value && (
        <p class="breakable">
          <WebhookBadge status={webhook.value.status} /> {webhook.value.url} · Events:{" "}
          {typesText(webhook.value.types)}
        </p>
      )}
      <FilterTabs label="Deliveries by status" choices={TABS} />
    </ListScreen>
  );
}

const COLUMNS = {
  Event: ({ type, eventId }: Delivery) => typeWords(type) + (eventId === null ? "" : ` · event ${eventId}`),
  Status: wordColumn(({ status }: Delivery) => <DeliveryBadge status={status} />),
  "Last attempt": ({ attempts: [last] }: Delivery) => last && attemptText(last),
  Time: timeColumn(({ createdAt }: Delivery) => createdAt),
};
