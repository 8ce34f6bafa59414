import type { Webhook } from "../../../webhooks/contract.ts";
import { TextField } from "../components/field.tsx";
import type { FormState, Problems, Values } from "../components/form-state.ts";
import { callVersioned, type Versioned } from "../request.ts";
import type { ResourceKind } from "../use-version.ts";
import { TypesField, typesText } from "./types-field.tsx";

export type WebhookField = "url" | "types";

export function webhookFrom({ url, types }: Values<WebhookField>): Readonly<Record<WebhookField, unknown>> {
  return { url: url.trim(), types: types.split(" ") };
}

export function checkWebhook({ url, types }: Values<WebhookField>): Problems {
  return {
    ...(url.trim() === "" && { url: "is required" }),
    ...(types === "" && { types: "must be at least one" }),
  };
}

export function WebhookFields<Name extends string>({
  form,
}: {
  readonly form: FormState<Name | WebhookField>;
}) {
  return (
    <>
      <TextField
        form={form}
        name="url"
        label="Address"
        spellcheck={false}
        hint="An https URL that takes signed POST requests."
      />
      <TypesField form={form} />
    </>
  );
}

const STATUS_WORDS: Readonly<Record<Webhook["status"], string>> = {
  enabled: "Enabled",
  disabled: "Disabled",
};

export const STATUS_CHOICES = Object.entries(STATUS_WORDS).map(([value, label]) => ({ value, label }));

export function WebhookBadge({ status }: Pick<Webhook, "status">) {
  return <span class={`badge ${status === "enabled" ? "active" : ""}`}>{STATUS_WORDS[status]}</span>;
}

export const webhookPath = (id: Webhook["id"] | string) => `/webhooks/${id}`;

export function readWebhook(id: Webhook["id"] | string): Promise<Versioned<Webhook>> {
  return callVersioned<Webhook>(webhookPath(id));
}

export const WEBHOOK_KIND: ResourceKind<Webhook> = {
  noun: "webhook",
  topics: [],
  path: ({ id }) => webhookPath(id),
  read: ({ id }) => readWebhook(id),
  describe: ({ url, types, status }) => ({
    url: ["Address", url],
    types: ["Events", typesText(types)],
    status: ["Status", STATUS_WORDS[status]],
  }),
};
