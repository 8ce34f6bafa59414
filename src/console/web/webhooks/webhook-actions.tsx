import type { Webhook, WebhookWithSecret } from "../../../webhooks/contract.ts";
import { ActionButton } from "../components/action-button.tsx";
import { announce } from "../components/announce.tsx";
import { closeDialog, finishDialog } from "../components/dialog.tsx";
import { DialogMenu } from "../components/dialog-menu.tsx";
import { EditDialog } from "../components/edit-dialog.tsx";
import { ChoiceField } from "../components/field.tsx";
import { FormDialog } from "../components/form-dialog.tsx";
import { type FormState, useForm } from "../components/form-state.ts";
import { RemoveDialog } from "../components/remove-dialog.tsx";
import { call, type Versioned } from "../request.ts";
import { navigate } from "../router.ts";
import { showSecret } from "./secret-dialog.tsx";
import {
  checkWebhook,
  STATUS_CHOICES,
  WEBHOOK_KIND,
  type WebhookField,
  WebhookFields,
  webhookFrom,
  webhookPath,
} from "./webhook-fields.tsx";

interface WebhookActionsProps {
  readonly webhook: Versioned<Webhook>;
  readonly onTested: () => Promise<void>;
}

export function WebhookActions({ webhook, onTested }: WebhookActionsProps) {
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
          "Remove…": (
            <RemoveDialog
              kind={WEBHOOK_KIND}
              resource={webhook}
              onDeleted={onDeleted}
              onClose={closeDialog}
            />
          ),
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
      onSaved={finishDialog}
      onClose={closeDialog}
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
        choices={STATUS_CHOICES}
        hint="Disabling it drops its queued deliveries."
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
    <FormDialog title="New secret?" form={form} submitLabel="Make new secret">
      <p>Deliveries are signed with both secrets for 24 hours, then with the new one alone.</p>
    </FormDialog>
  );
}
