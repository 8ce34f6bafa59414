import type { Message } from "../../../messages/contract.ts";
import { announce } from "../components/announce.tsx";
import { Empty } from "../components/empty.tsx";
import { LongTextField } from "../components/field.tsx";
import { Form } from "../components/form.tsx";
import { useForm } from "../components/form-state.ts";
import { Cell, ListTable, RowHeader } from "../components/list-table.tsx";
import { Loading } from "../components/loading.tsx";
import { LongText } from "../components/long-text.tsx";
import { Paging } from "../components/paging.tsx";
import { Screen } from "../components/screen.tsx";
import { Timestamp } from "../components/timestamp.tsx";
import { call, callPage } from "../request.ts";
import { route } from "../router.ts";
import { useLoad } from "../use-load.ts";
import { usePolling } from "../use-polling.ts";

const STATUS_WORDS = { queued: "Queued", delivered: "Delivered", failed: "Failed" } as const;

export function Messages() {
  const cursor = route.value.query.get("cursor") ?? undefined;
  const messages = useLoad(
    (signal) => callPage<Message>("/messages", { query: { cursor }, signal }),
    [cursor ?? ""],
  );
  const queued = messages.value?.items.filter(({ status }) => status === "queued") ?? [];
  usePolling(queued.map(({ id }) => id).join(" "), messages.reload);
  return (
    <Screen title="Messages">
      <div class="stack">
        <SendMessage onSent={messages.reload} />
        <Loading loaded={messages} what="the messages">
          {({ items, next }) => (
            <>
              {items.length === 0 ? <NoMessages /> : <MessageTable messages={items} />}
              <Paging next={next} what="messages" />
            </>
          )}
        </Loading>
      </div>
    </Screen>
  );
}

function NoMessages() {
  return (
    <Empty title="No messages yet.">
      <p>Send one, and watch its status change.</p>
    </Empty>
  );
}

function MessageTable({ messages }: { readonly messages: readonly Message[] }) {
  return (
    <ListTable label="Messages" columns={["Message", "Status", "Submitted"]}>
      {messages.map(({ id, message, status, createdAt }) => (
        <tr key={id}>
          <RowHeader label="Message">
            {message.trim() === "" ? <em class="muted">No text</em> : <LongText text={message} />}
          </RowHeader>
          <Cell label="Status">
            <span class={`badge ${status}`}>{STATUS_WORDS[status]}</span>
          </Cell>
          <Cell label="Submitted">
            <Timestamp at={createdAt} />
          </Cell>
        </tr>
      ))}
    </ListTable>
  );
}

function SendMessage({ onSent }: { readonly onSent: () => Promise<void> }) {
  const form = useForm<"message">({
    id: "new-message",
    initial: { message: "" },
    check: ({ message }) => (message === "" ? { message: "is required" } : {}),
    async send({ message }, keyFor) {
      const body = { message };
      await call<Message>("POST", "/messages", { body, idempotencyKey: keyFor(body) });
      announce("Message queued");
      document.getElementById("new-message-message")?.focus();
      void onSent();
      return undefined;
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
