import type { EventType } from "../../../event-kinds/event-kinds.ts";
import type { Webhook } from "../../../webhooks/contract.ts";
import { TextField } from "../components/field.tsx";
import type { FormState, Problems, Values } from "../components/form-state.ts";
import { TYPE_WORDS } from "../events/event-words.ts";
import { capitalized } from "../format.ts";
import { callVersioned } from "../request.ts";
import type { ResourceKind } from "../use-version.ts";

export type WebhookField = "url" | "types";

export function webhookFrom({ url, types }: Values<WebhookField>): Readonly<Record<WebhookField, unknown>> {
  return { url: url.trim(), types: types.split(" ") };
}

export function checkWebhook({ url, types }: Values<WebhookField>): Problems {
  return {
    ...(url.trim() === "" && { url: "is required" }),
    ...(types === "" && { types: "must contain at least one type" }),
  };
}

export function WebhookFields({ form }: { readonly form: FormState<WebhookField> }) {
  return (
    <>
      <TextField
        form={form}
        name="url"
        label="Address"
        spellcheck={false}
        hint="An https URL that accepts signed POST requests."
      />
      <TypesField form={form} />
    </>
  );
}

export const ALL_TYPES = Object.keys(TYPE_WORDS).join(" ");

export function typesText(types: readonly EventType[]): string {
  const words = types.map((type) => TYPE_WORDS[type]);
  return words.length === Object.keys(TYPE_WORDS).length ? "All" : words.join(", ");
}

export function typeWords(type: EventType | "webhook.test"): string {
  return type === "webhook.test" ? "Test" : TYPE_WORDS[type];
}

function TypesField({ form }: { readonly form: FormState<WebhookField> }) {
  const chosen = form.values.types.split(" ");
  const problem = form.problems["types"];
  function choose(type: string, isChosen: boolean) {
    const types = Object.keys(TYPE_WORDS).filter((one) => (one === type ? isChosen : chosen.includes(one)));
    form.set("types", types.join(" "));
  }
  return (
    <fieldset class="field choices">
      <legend>Events</legend>
      {Object.entries(TYPE_WORDS).map(([type, words]) => (
        <label key={type}>
          <input
            type="checkbox"
            checked={chosen.includes(type)}
            onChange={(event) => choose(type, event.currentTarget.checked)}
          />
          {words}
        </label>
      ))}
      {problem !== undefined && <p class="problem">Events {problem}</p>}
    </fieldset>
  );
}

export const webhookPath = (id: Webhook["id"] | string) => `/webhooks/${id}`;

export const WEBHOOK_KIND: ResourceKind<Webhook> = {
  noun: "webhook",
  topics: [],
  path: ({ id }) => webhookPath(id),
  read: ({ id }) => callVersioned<Webhook>(webhookPath(id)),
  describe: ({ url, types, status }) => ({
    url: ["Address", url],
    types: ["Events", typesText(types)],
    status: ["Status", capitalized(status)],
  }),
};
