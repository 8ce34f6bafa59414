import type { OpenSession } from "../../../accounts/contract.ts";
import { ActionButton } from "../components/action-button.tsx";
import { announce } from "../components/announce.tsx";
import { DeleteDialog, type DeleteListeners } from "../components/delete-dialog.tsx";
import { Dialog, useDialog } from "../components/dialog.tsx";
import { PasswordField } from "../components/field.tsx";
import { Form } from "../components/form.tsx";
import { useForm } from "../components/form-state.ts";
import { ListTable } from "../components/list-table.tsx";
import { Loading } from "../components/loading.tsx";
import { LongText, shortName } from "../components/long-text.tsx";
import { Screen } from "../components/screen.tsx";
import { Timestamp } from "../components/timestamp.tsx";
import { ROLE_WORDS } from "../people/role.ts";
import { call } from "../request.ts";
import { type Loaded, useLoad } from "../use-load.ts";
import { deviceName, Passkeys } from "./passkeys.tsx";
import { account, endSession, signOut } from "./session.ts";

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

interface ChangePasswordProps {
  readonly email: string;
  readonly onChanged: () => Promise<void>;
}

function ChangePassword({ email, onChanged }: ChangePasswordProps) {
  const form = useForm<"currentPassword" | "newPassword">({
    id: "password",
    initial: { currentPassword: "", newPassword: "" },
    isSecret: true,
    check: ({ currentPassword, newPassword }) => ({
      ...(currentPassword === "" && { currentPassword: "is required" }),
      ...(newPassword === "" && { newPassword: "is required" }),
    }),
    async send(body) {
      await call("POST", "/account/password", { body });
      announce("Password changed. Every other session has ended.");
      document.getElementById("password-heading")?.focus();
      void onChanged();
    },
  });
  return (
    <section class="card">
      <h2 id="password-heading" tabIndex={-1}>
        Change password
      </h2>
      <Form form={form} label="Change password" submitLabel="Change password" busyLabel="Changing…">
        {/* For password managers. */}
        <input type="text" autocomplete="username" value={email} readOnly hidden />
        <PasswordField
          form={form}
          name="currentPassword"
          label="Current password"
          autocomplete="current-password"
        />
        <PasswordField
          form={form}
          name="newPassword"
          label="New password"
          autocomplete="new-password"
          hint="At least 8 characters. Several words in a row make a strong password. Changing it ends every other session."
        />
      </Form>
    </section>
  );
}

function DeleteAccount() {
  const dialog = useDialog<true>();
  return (
    <section class="card danger-zone" aria-labelledby="delete-heading">
      <h2 id="delete-heading">Delete account</h2>
      <p>
        This deletes your account, its API keys and its sessions for good. Animals, orders and messages stay.
      </p>
      <button type="button" class="danger" onClick={() => dialog.open(true)}>
        Delete account…
      </button>
      {dialog.subject && <DeleteAccountDialog onClose={dialog.close} />}
    </section>
  );
}

function DeleteAccountDialog({ onClose }: { readonly onClose: () => void }) {
  const form = useForm<"password">({
    id: "delete-account",
    initial: { password: "" },
    isSecret: true,
    check: ({ password }) => (password === "" ? { password: "is required" } : {}),
    async send(body) {
      await call("POST", "/account/delete", { body });
      endSession("Your account is deleted.");
    },
  });
  const keep = (
    <button type="button" class="secondary" onClick={onClose}>
      Keep account
    </button>
  );
  return (
    <Dialog title="Delete your account?" onClose={onClose}>
      <p>Programs that use its API keys are refused from the next request on. This cannot be undone.</p>
      <Form
        form={form}
        label="Delete account"
        submitLabel="Delete account"
        busyLabel="Deleting…"
        isDangerous
        actions={keep}
      >
        <PasswordField form={form} name="password" label="Password" autocomplete="current-password" />
      </Form>
    </Dialog>
  );
}

function AccountSessions({ sessions }: { readonly sessions: Loaded<readonly OpenSession[]> }) {
  const ending = useDialog<OpenSession>();
  return (
    <section aria-labelledby="sessions-heading">
      <h2 id="sessions-heading">Where you are signed in</h2>
      <Loading loaded={sessions} what="your sessions">
        {(rows) => (
          <ListTable
            label="Sessions"
            rows={rows}
            columns={{
              Device: ({ userAgent }) => <LongText text={deviceName(userAgent)} />,
              "Signed in": ({ createdAt }) => <Timestamp at={createdAt} />,
              "Last seen": ({ lastSeenAt }) => <Timestamp at={lastSeenAt} />,
              Ends: ({ expiresAt }) => <Timestamp at={expiresAt} precision="day" />,
              Actions: (session) => <SessionAction session={session} onEnd={() => ending.open(session)} />,
            }}
          />
        )}
      </Loading>
      {ending.subject && (
        <EndSession session={ending.subject} onDeleted={sessions.reload} onClose={ending.close} />
      )}
    </section>
  );
}

function SessionAction({ session, onEnd }: { readonly session: OpenSession; readonly onEnd: () => void }) {
  if (session.isCurrent) return <span class="badge active">This one</span>;
  const device = shortName(deviceName(session.userAgent), "a device");
  return (
    <button type="button" class="link" aria-label={`End session on ${device}`} onClick={onEnd}>
      End
    </button>
  );
}

function EndSession({ session, ...listeners }: DeleteListeners & { readonly session: OpenSession }) {
  return (
    <DeleteDialog
      title="End this session?"
      send={() => call("DELETE", `/account/sessions/${session.id}`)}
      outcome="Session ended"
      confirmLabel="End session"
      cancelLabel="Keep session"
      {...listeners}
    >
      <p dir="auto">{deviceName(session.userAgent)} is signed out at once and has to sign in again.</p>
    </DeleteDialog>
  );
}
