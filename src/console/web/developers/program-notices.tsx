import type { DeveloperNotices, ProgramNotices } from "../../contract.ts";
import { shortName } from "../components/long-text.tsx";
import { Timestamp } from "../components/timestamp.tsx";
import { call } from "../request.ts";
import { useLoad } from "../use-load.ts";

export function countNotices(notices: ProgramNotices): number {
  const { failedMessages, webhooks, expiringKeys } = notices;
  return failedMessages + webhooks.length + expiringKeys.length;
}

export function ProgramNoticeItems({ notices }: { readonly notices: ProgramNotices }) {
  const { failedMessages, webhooks, expiringKeys } = notices;
  return (
    <>
      {failedMessages > 0 && (
        <li>
          <a href="/messages">{failedMessages} of the last 100 messages</a> were not delivered.
        </li>
      )}
      {webhooks.map(({ id, url, status }) => (
        <li key={String(id)}>
          The webhook{" "}
          <a href={`/webhooks/${id}`} class="breakable">
            {url}
          </a>{" "}
          {status === "disabled"
            ? "is disabled: events are not sent to it."
            : "refuses deliveries, or can't be reached."}
        </li>
      ))}
      {expiringKeys.map(({ id, name, expiresAt }) => (
        <li key={id}>
          The key{" "}
          <a href="/keys" dir="auto">
            {shortName(name, id)}
          </a>{" "}
          expires on <Timestamp at={expiresAt ?? ""} precision="day" />.
        </li>
      ))}
    </>
  );
}

export function useNotices() {
  return useLoad((signal) => call<DeveloperNotices>("GET", "/developers", { signal }));
}
