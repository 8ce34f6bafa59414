import { useSignal } from "@preact/signals";
import type { OpenSession } from "../../../accounts/contract.ts";
import type { IdentityView } from "../../../accounts/identities/contract.ts";
import type { PasskeyView } from "../../../accounts/passkeys/contract.ts";
import { ActionButton } from "../components/action-button.tsx";
import { announce } from "../components/announce.tsx";
import { Labelled } from "../components/labelled.tsx";
import { lazy } from "../components/lazy.tsx";
import { ListTable } from "../components/list-table.tsx";
import { Loading } from "../components/loading.tsx";
import { LongText, shortName } from "../components/long-text.tsx";
import { Screen } from "../components/screen.tsx";
import { Timestamp } from "../components/timestamp.tsx";
import { isStaging } from "../environment.ts";
import { completeSales } from "../pets/sales.ts";
import { call, callDelete } from "../request.ts";
import { connectionError } from "../request-error.ts";
import { chooseTheme, chosenTheme } from "../theme.ts";
import { useLoad } from "../use-load.ts";
import { deviceName } from "./device-name.ts";
import { account, session } from "./session.ts";

const ChangePassword = lazy(async () => (await import("./change-password.tsx")).ChangePassword);
const DeleteAccount = lazy(async () => (await import("./delete-account.tsx")).DeleteAccount);
const Passkeys = lazy(async () => (await import("./passkeys.tsx")).Passkeys);
const Identities = lazy(async () => (await import("./provider.tsx")).Identities);

export function AccountScreen() {
  // Nothing is shown before everything is loaded, because sections on screen would move when further sections appear.
  const loaded = useLoad((signal) =>
    Promise.all([
      call<readonly PasskeyView[]>("GET", "/account/passkeys", { signal }),
      call<readonly OpenSession[]>("GET", "/account/sessions", { signal }),
      call<readonly IdentityView[]>("GET", "/account/identities", { signal }),
      Passkeys.preload(),
      ChangePassword.preload(),
    ]),
  );
  const isDeleting = useSignal(false);
  const current = account.value;
  if (current === undefined) return null;
  const leave = (
    <ActionButton class="secondary" failure="You are still signed in." action={leaveConsole}>
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
        , {current.role}. Account created on <Timestamp at={current.createdAt} precision="day" />.
      </p>
      <Loading loaded={loaded} what="your account">
        {([passkeys, sessions, identities]) => (
          <div class="stack">
            <Passkeys passkeys={passkeys} onChanged={loaded.reload} />
            {(session.value?.provider || identities.length > 0) && (
              <Identities identities={identities} onChanged={loaded.reload} />
            )}
            <div class="columns">
              <ChangePassword onChanged={loaded.reload} />
              <Sessions sessions={sessions} onEnded={loaded.reload} />
            </div>
            <Appearance />
            <details
              class="card"
              onToggle={({ currentTarget }) => {
                isDeleting.value = currentTarget.open;
              }}
            >
              <summary>Delete account</summary>
              {isDeleting.value && <DeleteAccount />}
            </details>
          </div>
        )}
      </Loading>
    </Screen>
  );
}

async function leaveConsole() {
  const { signOut } = await import("./sign-out.ts").catch(() => {
    throw connectionError();
  });
  await completeSales();
  await signOut();
}

const TIME = { isShort: true, isLabelled: true };

interface SessionsProps {
  readonly sessions: readonly OpenSession[];
  readonly onEnded: () => Promise<void>;
}

function Sessions({ sessions, onEnded }: SessionsProps) {
  async function end({ id }: OpenSession) {
    await callDelete(`/account/sessions/${id}`);
    announce("Signed out");
    // The focus moves to the heading, because the pressed button disappears and the focus would be lost.
    document.getElementById("sessions-heading")?.focus();
    await onEnded();
  }
  return (
    <section aria-labelledby="sessions-heading">
      <h2 id="sessions-heading" tabIndex={-1}>
        Active sessions
      </h2>
      <ListTable
        label="Sessions"
        rows={sessions}
        columns={{
          Device: (session) => (
            <>
              <LongText text={deviceName(session.userAgent)} />{" "}
              {(session.environment === "staging") !== isStaging && (
                <span class="badge">{isStaging ? "Production" : "Staging"}</span>
              )}{" "}
              {session.isCurrent ? (
                <span class="badge active">This device</span>
              ) : (
                <ActionButton
                  class="link"
                  label={`Sign out on ${shortName(deviceName(session.userAgent), "a device")}`}
                  failure="The device is still signed in."
                  action={() => end(session)}
                >
                  Sign out
                </ActionButton>
              )}
            </>
          ),
          "Signed in": { cell: ({ createdAt }) => <Timestamp at={createdAt} precision="day" />, ...TIME },
          "Last seen": { cell: ({ lastSeenAt }) => <Timestamp at={lastSeenAt} precision="ago" />, ...TIME },
          Ends: { cell: ({ expiresAt }) => <Timestamp at={expiresAt} precision="day" />, ...TIME },
        }}
      />
    </section>
  );
}

/** The choice between the light and the dark theme, which applies to this browser. */
function Appearance() {
  return (
    <section class="card">
      <h2>Appearance</h2>
      <Labelled id="theme" label="Theme in this browser">
        {() => (
          <select
            id="theme"
            value={chosenTheme()}
            onChange={({ currentTarget }) => chooseTheme(currentTarget.value)}
          >
            <option value="">As the device</option>
            <option value="light">Light</option>
            <option value="dark">Dark</option>
          </select>
        )}
      </Labelled>
    </section>
  );
}
