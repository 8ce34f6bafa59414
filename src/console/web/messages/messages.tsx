import type { Message, MessageWithAttempts } from "../../../messages/contract.ts";
import { mayChange } from "../account/session.ts";
import { ActionButton } from "../components/action-button.tsx";
import { announce } from "../components/announce.tsx";
import { Attempts } from "../components/attempts.tsx";
import { DeliveryBadge } from "../components/delivery-badge.tsx";
import { useDialog } from "../components/dialog.tsx";
import { Empty } from "../components/empty.tsx";
import { LongTextField } from "../components/field.tsx";
import { Form } from "../components/form.tsx";
import { useForm } from "../components/form-state.ts";
import { ListTable } from "../components/list-table.tsx";
import { LoadingDialog } from "../components/loading-dialog.tsx";
import { LongText, shortName } from "../components/long-text.tsx";
import { PagedList, usePage } from "../components/paged-list.tsx";
import { Screen } from "../components/screen.tsx";
import { Timestamp } from "../components/timestamp.tsx";
import { call, callPage } from "../request.ts";
import { usePolling } from "../use-polling.ts";

export function Messages() {
  const messages = usePage((query, signal) => callPage<Message>("/messages", { query, signal }));
  const queued = messages.value?.items.filter(({ status }) => status === "queued") ?? [];
  usePolling(queued.map(({ id }) => id).join(" "), messages.reload);
  return (
    <Screen title="Messages">
      <div class="stack">
        {mayChange.value && <SendMessage onSent={messages.reload} />}
        <PagedList loaded={messages} what="messages" empty={<NoMessages />}>
          {({ items }) => <MessageTable messages={items} reload={messages.reload} />}
        </PagedList>
      </div>
    </Screen>
  );
}

function NoMessages() {
  return (
    <Empty title="No messages yet.">{mayChange.value && <p>Send one, and watch its status change.</p>}</Empty>
  );
}

const COLUMNS = {
  Message: ({ message }: Message) =>
    message.trim() === "" ? <em class="muted">No text</em> : <LongText text={message} />,
  Status: ({ status }: Message) => <DeliveryBadge status={status} />,
  Submitted: ({ createdAt }: Message) => <Timestamp at={createdAt} precision="ago" />,
};

interface MessageTableProps {
  readonly messages: readonly Message[];
  readonly reload: () => Promise<void>;
}

function MessageTable({ messages, reload }: MessageTableProps) {
  const explaining = useDialog<Message>();
  async function redeliver({ id }: Message) {
    await call("POST", `/messages/${id}/redeliver`);
    announce("The message is sent again");
    await reload();
  }
  const Actions = (message: Message) => (
    <div class="row-actions">
      <button
        type="button"
        class="link"
        aria-label={`Attempts to deliver ${shortName(message.message, message.id)}`}
        onClick={() => explaining.open(message)}
      >
        Attempts
      </button>
      {message.status === "failed" && (
        <ActionButton
          class="link"
          label={`Send again: ${shortName(message.message, message.id)}`}
          failure="The message was not queued."
          action={() => redeliver(message)}
        >
          Send again
        </ActionButton>
      )}
    </div>
  );
  return (
    <>
      <ListTable
        label="Messages"
        rows={messages}
        columns={{ ...COLUMNS, ...(mayChange.value && { Actions }) }}
      />
      {explaining.subject && <MessageAttempts message={explaining.subject} onClose={explaining.close} />}
    </>
  );
}

function SendMessage({ onSent }: { readonly onSent: () => Promise<void> }) {
  const form = useForm<"message">({
    id: "new-message",
    initial: { message: "" },
    check: ({ message }) => (message === "" ? { message: "is required" } : {}),
    async send({ message }, create) {
      await create<Message>("/messages", { message });
      announce("Message queued");
      document.getElementById("new-message-message")?.focus();
      void onSent();
    },
  });
  return (
    <section class="card">
      <h2>New message</h2>
      <Form form={form} label="Send a message" submitLabel="Send message" busyLabel="Sending…">
        <LongTextField form={form} name="message" label="Message" rows={4} />
      </Form>
    </section>
  );
}

interface MessageAttemptsProps {
  readonly message: Message;
  readonly onClose: () => void;
}

function MessageAttempts({ message: { id }, onClose }: MessageAttemptsProps) {
  return (
    <LoadingDialog
      title="Attempts to deliver"
      load={(signal) => call<MessageWithAttempts>("GET", `/messages/${id}`, { signal })}
      what="the attempts"
      onClose={onClose}
    >
      {(message) =>
        message.status === "delivered" && message.attempts.length === 0 ? (
          <p>There were none: without PETSTORE_MESSAGES_WEBHOOK, messages stay in this list.</p>
        ) : (
          <Attempts {...message} />
        )
      }
    </LoadingDialog>
  );
}
