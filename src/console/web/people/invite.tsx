import type { OneTimeLink } from "../../../accounts/invitations/contract.ts";
import { CopyDialog } from "../components/copy-dialog.tsx";
import { openDialog } from "../components/dialog.tsx";
import { ChoiceField, TextField } from "../components/field.tsx";
import { FormDialog } from "../components/form-dialog.tsx";
import { useForm } from "../components/form-state.ts";
import { Timestamp } from "../components/timestamp.tsx";
import { call } from "../request.ts";

export const ROLE_CHOICES = [
  { value: "viewer", label: "Viewer: can see the store" },
  { value: "staff", label: "Staff: can change the store" },
  { value: "owner", label: "Owner: can change the store and manage people" },
] as const;

export function Invite() {
  const form = useForm<"email" | "role">({
    id: "invitation",
    initial: { email: "", role: "staff" },
    check: ({ email }) => (email.trim() === "" ? { email: "is required" } : {}),
    async send(body) {
      const made = await call<OneTimeLink>("POST", "/invitations", { body });
      showLink(body.email.trim(), "The link creates an account.", made);
    },
  });
  return (
    <FormDialog title="Invite a person" form={form} submitLabel="Create invitation link">
      <TextField form={form} name="email" label="Email" type="email" />
      <ChoiceField form={form} name="role" label="Role" choices={ROLE_CHOICES} />
    </FormDialog>
  );
}

export function showLink(email: string, text: string, { link, expiresAt, isMailed }: OneTimeLink): void {
  openDialog(
    <CopyDialog title="Your link" what="link" secret={link}>
      {isMailed
        ? `An email to ${email} is on its way. You can also send this link yourself, to that person only.`
        : `Send this link to ${email} only.`}{" "}
      {text} It works once, until <Timestamp at={expiresAt} />, and replaces earlier links. You won't see it
      again.
    </CopyDialog>,
  );
}
