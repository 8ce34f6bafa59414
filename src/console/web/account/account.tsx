import type { OpenSession } from "../../../accounts/contract.ts";
import { Screen } from "../components/screen.tsx";
import { Timestamp } from "../components/timestamp.tsx";
import { call } from "../request.ts";
import { useLoad } from "../use-load.ts";
import { AccountSessions } from "./account-sessions.tsx";
import { ChangePassword } from "./change-password.tsx";
import { DeleteAccount } from "./delete-account.tsx";
import { account } from "./session.ts";
import { SignOutButton } from "./sign-out-button.tsx";

export function AccountScreen() {
  const current = account.value;
  const sessions = useLoad((signal) => call<readonly OpenSession[]>("GET", "/account/sessions", { signal }));
  if (current === undefined) return null;
  return (
    <Screen title="Account" actions={<SignOutButton />}>
      <p>
        Signed in as{" "}
        <strong dir="auto" class="breakable">
          {current.email}
        </strong>
        . Account created on <Timestamp at={current.createdAt} precision="day" />.
      </p>
      <div class="columns">
        <ChangePassword email={current.email} onChanged={sessions.reload} />
        <AccountSessions sessions={sessions} />
      </div>
      <DeleteAccount />
    </Screen>
  );
}
