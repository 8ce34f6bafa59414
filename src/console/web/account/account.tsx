import type { OpenSession } from "../../../accounts/contract.ts";
import { ActionButton } from "../components/action-button.tsx";
import { Screen } from "../components/screen.tsx";
import { Timestamp } from "../components/timestamp.tsx";
import { ROLE_WORDS } from "../people/role.ts";
import { call } from "../request.ts";
import { useLoad } from "../use-load.ts";
import { AccountSessions } from "./account-sessions.tsx";
import { ChangePassword } from "./change-password.tsx";
import { DeleteAccount } from "./delete-account.tsx";
import { Passkeys } from "./passkeys.tsx";
import { account, signOut } from "./session.ts";

export function AccountScreen() {
  const current = account.value;
  const sessions = useLoad((signal) => call<readonly OpenSession[]>("GET", "/account/sessions", { signal }));
  if (current === undefined) return null;
  const leave = (
    <ActionButton class="secondary" failure="You are still signed in." action={signOut}>
      Sign out
    </ActionButton>
  );
  return (
    <Screen title="Account" actions={leave}>
      <p>
        Signed in as{" "}
        <strong dir="auto" class="breakable">
          {current.email}
        </strong>
        , {ROLE_WORDS[current.role].toLowerCase()}. Account created on{" "}
        <Timestamp at={current.createdAt} precision="day" />.
      </p>
      <div class="stack">
        <Passkeys />
        <div class="columns">
          <ChangePassword email={current.email} onChanged={sessions.reload} />
          <AccountSessions sessions={sessions} />
        </div>
        <DeleteAccount />
      </div>
    </Screen>
  );
}
