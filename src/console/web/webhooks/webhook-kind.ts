import type { Webhook } from "../../../webhooks/contract.ts";
import { callVersioned, type Versioned } from "../request.ts";
import type { ResourceKind } from "../use-version.ts";
import { typesText } from "./types-field.tsx";

export const WEBHOOK_STATUS_WORDS: Readonly<Record<Webhook["status"], string>> = {
  enabled: "Enabled",
  disabled: "Disabled",
};

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
    status: ["Status", WEBHOOK_STATUS_WORDS[status]],
  }),
};
