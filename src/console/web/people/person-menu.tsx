import type { Person } from "../../../accounts/contract.ts";
import { DialogMenu } from "../components/dialog-menu.tsx";
import { lazyDialog } from "../components/lazy-dialog.tsx";

const ChangeRole = lazyDialog(async () => (await import("./person-dialogs.tsx")).ChangeRole);
const ResetLink = lazyDialog(async () => (await import("./person-dialogs.tsx")).ResetLink);
const RemoveAccount = lazyDialog(async () => (await import("./person-dialogs.tsx")).RemoveAccount);

export function PersonMenu(person: Person) {
  return (
    <DialogMenu
      of={person.email}
      dialogs={{
        "Role…": <ChangeRole {...person} />,
        "Password-reset link…": <ResetLink {...person} />,
        "Remove…": <RemoveAccount {...person} />,
      }}
    />
  );
}
