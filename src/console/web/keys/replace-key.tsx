import type { KeyView, MadeKey } from "../../../keys/contract.ts";
import { ChoiceField } from "../components/field.tsx";
import { FormDialog } from "../components/form-dialog.tsx";
import { useForm } from "../components/form-state.ts";
import { shortName } from "../components/long-text.tsx";
import { call } from "../request.ts";
import { showKey } from "./new-key.tsx";

const OVERLAPS = [
  { value: "0", label: "It ends at once" },
  { value: "1", label: "1 hour" },
  { value: "24", label: "24 hours" },
  { value: "168", label: "7 days" },
] as const;

export function ReplaceKey({ id, name }: KeyView) {
  const form = useForm<"overlap">({
    id: `replace-${id}`,
    initial: { overlap: "24" },
    isSecret: true,
    async send({ overlap }) {
      const body = { overlapHours: Number(overlap) };
      showKey(await call<MadeKey>("POST", `/keys/${id}/rotate`, { body }));
    },
  });
  return (
    <FormDialog title={`Replace ${shortName(name, id)}?`} form={form} submitLabel="Replace key">
      <p>You get a new key with the same name, access and lifetime, counted from now.</p>
      <ChoiceField
        form={form}
        name="overlap"
        label="The old key works for"
        choices={OVERLAPS}
        hint="Long enough to give every program the new key."
      />
    </FormDialog>
  );
}
