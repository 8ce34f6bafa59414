import type { Message } from "../../../messages/contract.ts";
import { announce } from "../components/announce.tsx";
import { finishDialog } from "../components/dialog.tsx";
import { LongTextField } from "../components/field.tsx";
import { FormDialog } from "../components/form-dialog.tsx";
import { useForm } from "../components/form-state.ts";

export function NewMessage() {
  const form = useForm<"message">({
    id: "new-message",
    initial: { message: "" },
    check: ({ message }) => (message === "" ? { message: "is required" } : {}),
    async send({ message }, create) {
      await create<Message>("/messages", { message });
      announce("Message queued");
      finishDialog();
    },
  });
  return (
    <FormDialog title="New message" form={form} submitLabel="Send message">
      <LongTextField form={form} name="message" label="Message" rows={4} />
    </FormDialog>
  );
}
