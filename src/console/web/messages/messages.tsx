import type { Message } from "../../../messages/contract.ts";
import { mayChange } from "../account/session.ts";
import { AttemptsButton } from "../components/attempts.tsx";
import { Badge } from "../components/badge.tsx";
import { timeColumn, wordColumn } from "../components/columns.tsx";
import { lazyDialog } from "../components/lazy-dialog.tsx";
import { ListScreen } from "../components/list-screen.tsx";
import { LongText, shortName } from "../components/long-text.tsx";
import { usePage } from "../components/paged-list.tsx";
import { usePolling } from "../use-polling.ts";

const NewMessage = lazyDialog(async () => (await import("./new-message.tsx")).NewMessage);

export function Messages() {
  const messages = usePage<Message>("/messages");
  const { reload } = messages;
  const queued = messages.value?.items.filter(({ status }) => status === "queued") ?? [];
  usePolling(queued.map(({ id }) => id).join(" "), reload);
  return (
    <ListScreen<Message>
      title="Messages"
      create={mayChange.value && { label: "New message", dialog: <NewMessage /> }}
      what="messages"
      loaded={messages}
      empty="No messages yet."
      hint={
        mayChange.value
          ? "Send a message, and watch its status change."
          : "Messages that staff and programs send are listed here."
      }
      columns={COLUMNS}
      actions={
        mayChange.value &&
        (({ id, message, status }) => (
          <AttemptsButton
            path={`/messages/${id}`}
            name={shortName(message, id)}
            isResendable={status === "failed"}
          />
        ))
      }
    />
  );
}

const COLUMNS = {
  Message: {
    cell: ({ message }: Message) =>
      message.trim() === "" ? <em class="muted">No text</em> : <LongText text={message} />,
    isWrapped: true,
  },
  Status: wordColumn(({ status }: Message) => <Badge status={status} />),
  Submitted: timeColumn(({ createdAt }: Message) => createdAt),
};
