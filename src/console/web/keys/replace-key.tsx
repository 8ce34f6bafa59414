import type { KeyView, MadeKey } from "../../../keys/contract.ts";
import { Dialog } from "../components/dialog.tsx";
import { ChoiceField } from "../components/field.tsx";
import { Form } from "../components/form.tsx";
import { useForm } from "../components/form-state.ts";
import { shortName } from "../components/long-text.tsx";
import { call } from "../request.ts";

const OVERLAPS = [
  { value: "0", label: "It ends at once" },
  { value: "1", label: "1 hour" },
  { value: "24", label: "24 hours" },
  { value: "168", label: "7 days" },
] as const;

interface ReplaceKeyProps {
  readonly apiKey: KeyView;
  readonly onReplaced: (token: string) => void;
  readonly onClose: () => void;
}

export function ReplaceKey({ apiKey: { id, name }, onReplaced, onClose }: ReplaceKeyProps) {
  const form = useForm<"overlap">({
    id: `replace-${id}`,
    initial: { overlap: "24" },
    isSecret: true,
    async send({ overlap }) {
      const body = { overlapHours: Number(overlap) };
      const { token } = await call<MadeKey>("POST", `/keys/${id}/rotate`, { body });
      onReplaced(token);
    },
  });
  const keep = (
    <button type="button" class="secondary" onClick={onClose}>
      Keep key
    </button>
  );
  return (
    <Dialog title={`Replace ${shortName(name, id)}?`} onClose={onClose}>
      <p>You get a new key with the same name, access and lifetime, counted from now.</p>
      <Form form={form} label="Replace key" submitLabel="Replace key" busyLabel="Replacing…" actions={keep}>
        <ChoiceField
          form={form}
          name="overlap"
          label="The old key works for"
          choices={OVERLAPS}
          hint="Long enough to give every program the new key."
        />
      </Form>
    </Dialog>
  );
}
