import type { Webhook, WebhookWithSecret } from "../../../webhooks/contract.ts";
import type { Delivery } from "../../../webhooks/delivery-contract.ts";
import { ActionButton } from "../components/action-button.tsx";
import { announce } from "../components/announce.tsx";
import { AttemptsButton, attemptText } from "../components/attempts.tsx";
import { Badge } from "../components/badge.tsx";
import { timeColumn, wordColumn } from "../components/columns.tsx";
import { DialogMenu } from "../components/dialog-menu.tsx";
import { EditDialog } from "../components/edit-dialog.tsx";
import { ChoiceField } from "../components/field.tsx";
import { FormDialog } from "../components/form-dialog.tsx";
import { type FormState, useForm } from "../components/form-state.ts";
import { ListScreen } from "../components/list-screen.tsx";
import { usePage } from "../components/paged-list.tsx";
import { RemoveDialog } from "../components/remove-dialog.tsx";
import { FilterTabs } from "../components/status-filter.tsx";
import { capitalized } from "../format.ts";
import { call, callVersioned, type Versioned } from "../request.ts";
import { navigate, route } from "../router.ts";
import { useLoad } from "../use-load.ts";
import { usePolling } from "../use-polling.ts";
import { showSecret } from "./new-webhook.tsx";
import {
  checkWebhook,
  typesText,
  typeWords,
  WEBHOOK_KIND,
  type WebhookField,
  WebhookFields,
  webhookFrom,
  webhookPath,
} from "./webhook-fields.tsx";

const STATUSES = ["all", "queued", "delivered", "failed", "dropped"];

export function WebhookScreen({ id }: { readonly id: string }) {
  const path = webhookPath(id);
  const webhook = useLoad(() => callVersioned<Webhook>(path), [path]);
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
      hint="Deliveries of the chosen event types are listed here."
      columns={COLUMNS}
      actions={{
        width: "7rem",
        cell: ({ id: number }) => (
          <AttemptsButton path={`${path}/deliveries/${number}`} name={`delivery ${number}`} isResendable />
        ),
      }}
    >
      {webhook.value && (
        <p class="breakable">
          <Badge status={webhook.value.status} /> {webhook.value.url} · Events:{" "}
          {typesText(webhook.value.types)}
        </p>
      )}
      <FilterTabs label="Deliveries by status" choices={STATUSES} />
    </ListScreen>
  );
}

const COLUMNS = {
  Event: {
    cell: ({ type, eventId }: Delivery) => typeWords(type) + (eventId === null ? "" : ` · event ${eventId}`),
    width: "24cqi",
  },
  Status: wordColumn(({ status }: Delivery) => <Badge status={status} />),
  "Last attempt": ({ attempts: [last] }: Delivery) => last && attemptText(last),
  Time: timeColumn(({ createdAt }: Delivery) => createdAt),
};

interface WebhookActionsProps {
  readonly webhook: Versioned<Webhook>;
  readonly onTested: () => Promise<void>;
}

function WebhookActions({ webhook, onTested }: WebhookActionsProps) {
  const { id, status } = webhook;
  async function test() {
    await call("POST", `${webhookPath(id)}/test`);
    announce("Test queued");
    await onTested();
  }
  const onDeleted = () => navigate("/webhooks", { replace: true });
  return (
    <>
      {status === "enabled" && (
        <ActionButton class="secondary" failure="No test was sent." action={test}>
          Send a test
        </ActionButton>
      )}
      <DialogMenu
        of={`webhook ${id}`}
        dialogs={{
          "Edit…": <EditWebhook {...webhook} />,
          "New secret…": <NewSecret id={id} />,
          "Remove…": <RemoveDialog kind={WEBHOOK_KIND} resource={webhook} onDeleted={onDeleted} />,
        }}
      />
    </>
  );
}

function EditWebhook(webhook: Versioned<Webhook>) {
  return (
    <EditDialog<WebhookField | "status", Webhook>
      kind={WEBHOOK_KIND}
      opened={webhook}
      valuesOf={({ url, types, status }) => ({ url, types: types.join(" "), status })}
      bodyOf={({ status, ...values }) => ({ ...webhookFrom(values), status })}
      check={checkWebhook}
      fields={EditedFields}
    />
  );
}

function EditedFields({ form }: { readonly form: FormState<WebhookField | "status"> }) {
  return (
    <>
      <WebhookFields form={form} />
      <ChoiceField
        form={form}
        name="status"
        label="Status"
        choices={["enabled", "disabled"].map((value) => ({ value, label: capitalized(value) }))}
        hint="If you disable the webhook, its queued deliveries are not sent."
      />
    </>
  );
}

function NewSecret({ id }: Pick<Webhook, "id">) {
  const form = useForm<never>({
    id: `new-secret-${id}`,
    initial: {},
    isSecret: true,
    async send() {
      showSecret(await call<WebhookWithSecret>("POST", `${webhookPath(id)}/rotate-secret`, { body: {} }));
    },
  });
  return (
    <FormDialog title="New secret?" form={form} submitLabel="Create new secret">
      <p>Deliveries are signed with both secrets for 24 hours, then only with the new secret.</p>
    </FormDialog>
  );
}
