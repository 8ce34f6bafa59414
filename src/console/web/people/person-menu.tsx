import type { Person } from "../../../accounts/contract.ts";
import { DialogMenu } from "../components/dialog-menu.tsx";
import { lazy } from "../components/lazy.tsx";

const ChangeRole = lazy(async () => (await import("./person-dialogs.tsx")).ChangeRole);
const ResetLink = lazy(async () => (await import("./person-dialogs.tsx")).ResetLink);
const RemoveAccount = lazy(async () => (await import("./person-dialogs.tsx")).RemoveAccount);

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
