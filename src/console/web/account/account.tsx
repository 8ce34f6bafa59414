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
  const who = account.value;
  const sessions = useLoad((signal) => call<readonly OpenSession[]>("GET", "/account/sessions", { signal }));
  if (who === undefined) return null;
  return (
    <Screen title="Account" actions={<SignOutButton />}>
      <p>
        <strong dir="auto" class="breakable">
          {who.email}
        </strong>
        , with an account since <Timestamp at={who.createdAt} precision="day" />.
      </p>
      <div class="columns">
        <ChangePassword email={who.email} onChanged={sessions.reload} />
        <AccountSessions sessions={sessions} />
      </div>
      <DeleteAccount />
    </Screen>
  );
}
