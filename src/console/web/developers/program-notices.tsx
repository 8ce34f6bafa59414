import type { KeyView } from "../../../keys/contract.ts";
import type { DeveloperNotices, NamedWebhook, ProgramNotices } from "../../contract.ts";
import { shortName } from "../components/long-text.tsx";
import { Timestamp } from "../components/timestamp.tsx";
import { call } from "../request.ts";
import { useLoad } from "../use-load.ts";

export function countNotices(notices: ProgramNotices): number {
  const { failedMessages, disabledWebhooks, failingWebhooks, expiringKeys } = notices;
  return failedMessages + disabledWebhooks.length + failingWebhooks.length + expiringKeys.length;
}

export function ProgramNoticeItems({ notices }: { readonly notices: ProgramNotices }) {
  const { failedMessages, disabledWebhooks, failingWebhooks, expiringKeys } = notices;
  return (
    <>
      {failedMessages > 0 && (
        <li>
          <a href="/messages">{failedMessages} of the last 100 messages</a> were not delivered.
        </li>
      )}
      {disabledWebhooks.map((webhook) => (
        <li key={String(webhook.id)}>
          <WebhookLink {...webhook} /> is disabled: events are not sent to it.
        </li>
      ))}
      {failingWebhooks.map((webhook) => (
        <li key={String(webhook.id)}>
          <WebhookLink {...webhook} /> refuses deliveries, or cannot be reached.
        </li>
      ))}
      <ExpiringKeys keys={expiringKeys} />
    </>
  );
}

function WebhookLink({ id, url }: NamedWebhook) {
  return (
    <>
      The webhook{" "}
      <a href={`/webhooks/${id}`} class="breakable">
        {url}
      </a>
    </>
  );
}

function ExpiringKeys({ keys }: { readonly keys: readonly KeyView[] }) {
  return keys.map(({ id, name, expiresAt }) => (
    <li key={id}>
      The key{" "}
      <a href="/keys" dir="auto">
        {shortName(name, id)}
      </a>{" "}
      expires on <Timestamp at={expiresAt ?? ""} precision="day" />.
    </li>
  ));
}

export function useNotices() {
  return useLoad((signal) => call<DeveloperNotices>("GET", "/developers", { signal }));
}
