import { TextField } from "../components/field.tsx";
import type { FormState, Problems, Values } from "../components/form-state.ts";
import { TypesField } from "./types-field.tsx";

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

export function WebhookFields({ form }: { readonly form: FormState<WebhookField> }) {
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
