import type { Webhook, WebhookWithSecret } from "../../../webhooks/contract.ts";
import type { Delivery } from "../../../webhooks/delivery-contract.ts";
import { ActionButton } from "../components/action-button.tsx";
import { announce } from "../components/announce.tsx";
import { Attempts } from "../components/attempts.tsx";
import { DeleteDialog } from "../components/delete-dialog.tsx";
import { DeliveryBadge, STATUS_CHOICES } from "../components/delivery-badge.tsx";
import { useDialog } from "../components/dialog.tsx";
import { EditDialog } from "../components/edit-dialog.tsx";
import { Empty } from "../components/empty.tsx";
import { ListTable } from "../components/list-table.tsx";
import { Loading } from "../components/loading.tsx";
import { LongText } from "../components/long-text.tsx";
import { PagedList, usePage } from "../components/paged-list.tsx";
import { RemoveDialog } from "../components/remove-dialog.tsx";
import { Screen } from "../components/screen.tsx";
import { StatusFilter } from "../components/status-filter.tsx";
import { Timestamp } from "../components/timestamp.tsx";
import { draftOf } from "../components/use-edit.ts";
import { call, callPage, type Page, type Versioned } from "../request.ts";
import { navigate, route } from "../router.ts";
import { type Loaded, useLoad } from "../use-load.ts";
import { usePolling } from "../use-polling.ts";
import { SecretDialog } from "./secret-dialog.tsx";
import { typesText, typeWords } from "./types-field.tsx";
import {
  checkWebhook,
  readWebhook,
  WEBHOOK_KIND,
  type WebhookField,
  WebhookFields,
  webhookFrom,
  webhookPath,
} from "./webhook-fields.tsx";
import { WebhookBadge } from "./webhooks.tsx";

export function WebhookScreen({ id }: { readonly id: string }) {
  const webhook = useLoad(() => readWebhook(id), [id]);
  const deliveries = useDeliveries(id);
  return (
    <Screen title={`Webhook ${id}`} within="Webhooks" actions={<a href="/webhooks">All webhooks</a>}>
      <Loading loaded={webhook} what="the webhook">
        {(found) => (
          <div class="columns">
            <WebhookCard webhook={found} reload={webhook.reload} onTested={deliveries.reload} />
            <Deliveries id={id} deliveries={deliveries} />
          </div>
        )}
      </Loading>
    </Screen>
  );
}

interface WebhookCardProps {
  readonly webhook: Versioned<Webhook>;
  readonly reload: () => Promise<void>;
  readonly onTested: () => Promise<void>;
}

function WebhookCard({ webhook, reload, onTested }: WebhookCardProps) {
  const editing = useDialog<Versioned<Webhook>>(draftOf(WEBHOOK_KIND.noun, webhook));
  const removing = useDialog<Versioned<Webhook>>();
  const { url, types, status } = webhook;
  return (
    <section class="card" aria-label="Webhook">
      <p>
        <WebhookBadge status={status} /> <LongText text={url} />
      </p>
      <p class="muted">{typesText(types)}</p>
      <div class="actions">
        <button type="button" class="secondary" onClick={() => editing.open(webhook)}>
          Edit
        </button>
        <WebhookActions webhook={webhook} reload={reload} onTested={onTested} />
        <button type="button" class="secondary" onClick={() => removing.open(webhook)}>
          Remove…
        </button>
      </div>
      {editing.subject && (
        <EditDialog<WebhookField, Webhook>
          kind={WEBHOOK_KIND}
          opened={editing.subject}
          valuesOf={(opened) => ({ url: opened.url, types: opened.types.join(" ") })}
          bodyOf={webhookFrom}
          check={checkWebhook}
          fields={WebhookFields}
          onSaved={reload}
          onClose={editing.close}
        />
      )}
      {removing.subject && (
        <RemoveDialog
          kind={WEBHOOK_KIND}
          resource={removing.subject}
          onDeleted={() => navigate("/webhooks", { replace: true })}
          onClose={removing.close}
        />
      )}
    </section>
  );
}

function WebhookActions({ webhook, reload, onTested }: WebhookCardProps) {
  const rotating = useDialog<true>();
  const secret = useDialog<string>();
  const { id, status } = webhook;
  const isEnabled = status === "enabled";
  async function toggle() {
    const body = { status: isEnabled ? "disabled" : "enabled" };
    try {
      await call<Webhook>("PATCH", webhookPath(id), { body, ifMatch: webhook.etag });
    } finally {
      await reload();
    }
    announce(isEnabled ? "Webhook disabled: its queued deliveries are dropped" : "Webhook enabled");
  }
  async function test() {
    await call("POST", `${webhookPath(id)}/test`);
    announce("Test queued");
    await onTested();
  }
  async function rotate() {
    const rotated = await call<WebhookWithSecret>("POST", `${webhookPath(id)}/rotate-secret`, { body: {} });
    secret.open(rotated.secret);
  }
  return (
    <>
      {isEnabled && (
        <ActionButton class="secondary" failure="No test was sent." action={test}>
          Send a test
        </ActionButton>
      )}
      <ActionButton class="secondary" failure="The webhook was not changed." action={toggle}>
        {isEnabled ? "Disable" : "Enable"}
      </ActionButton>
      <button type="button" class="secondary" onClick={() => rotating.open(true)}>
        New secret…
      </button>
      {rotating.subject && (
        <DeleteDialog
          title="New secret?"
          send={rotate}
          outcome="The webhook has a new secret"
          confirmLabel="Make new secret"
          cancelLabel="Keep secret"
          onDeleted={() => {}}
          onClose={rotating.close}
        >
          <p>Deliveries are signed with both secrets for 24 hours, then with the new one alone.</p>
        </DeleteDialog>
      )}
      {secret.subject && <SecretDialog secret={secret.subject} onClose={secret.close} />}
    </>
  );
}

function useDeliveries(id: string): Loaded<Page<Delivery>> {
  const deliveries = usePage(
    (query, signal) => callPage<Delivery>(`${webhookPath(id)}/deliveries`, { query, signal }),
    { status: route.value.query.get("status") ?? undefined },
  );
  const queued = deliveries.value?.items.filter(({ status }) => status === "queued") ?? [];
  usePolling(queued.map((one) => `${one.id}:${one.attempts.length}`).join(" "), deliveries.reload);
  return deliveries;
}

interface DeliveriesProps {
  readonly id: string;
  readonly deliveries: Loaded<Page<Delivery>>;
}

function Deliveries({ id, deliveries }: DeliveriesProps) {
  async function redeliver({ id: deliveryId }: Delivery) {
    await call("POST", `${webhookPath(id)}/deliveries/${deliveryId}/redeliver`);
    announce("The delivery is sent again");
    await deliveries.reload();
  }
  const columns = {
    Event: ({ type, eventId, createdAt }: Delivery) => (
      <>
        {typeWords(type)}
        <span class="detail">
          {eventId !== null && `Event ${eventId} · `}
          <Timestamp at={createdAt} precision="ago" />
        </span>
      </>
    ),
    Status: ({ status }: Delivery) => <DeliveryBadge status={status} />,
    Attempts,
    Actions: (delivery: Delivery) => (
      <ActionButton
        class="link"
        label={`Send again: delivery ${delivery.id}`}
        failure="The delivery was not queued."
        action={() => redeliver(delivery)}
      >
        Send again
      </ActionButton>
    ),
  };
  return (
    <section aria-labelledby="deliveries-heading">
      <h2 id="deliveries-heading">Deliveries</h2>
      <search class="filter">
        <StatusFilter choices={STATUS_CHOICES} />
      </search>
      <PagedList
        loaded={deliveries}
        what="deliveries"
        empty={<Empty title="No deliveries." children={null} />}
      >
        {({ items }) => <ListTable label="Deliveries" rows={items} columns={columns} />}
      </PagedList>
    </section>
  );
}
