import { useSignal } from "@preact/signals";
import type { OpenSession } from "../../../accounts/contract.ts";
import { announce } from "../components/announce.tsx";
import { ConfirmDialog } from "../components/confirm-dialog.tsx";
import { Cell, ListTable, RowHeader } from "../components/list-table.tsx";
import { Loading } from "../components/loading.tsx";
import { LongText, shortName } from "../components/long-text.tsx";
import { Timestamp } from "../components/timestamp.tsx";
import { call } from "../request.ts";
import type { Loaded } from "../use-load.ts";
import { deviceName } from "./device-name.ts";

export function AccountSessions({ sessions }: { readonly sessions: Loaded<readonly OpenSession[]> }) {
  const ending = useSignal<OpenSession | undefined>(undefined);
  return (
    <section aria-labelledby="sessions-heading">
      <h2 id="sessions-heading">Where you are signed in</h2>
      <Loading loaded={sessions} what="your sessions">
        {(value) => (
          <ListTable label="Sessions" columns={["Device", "Signed in", "Last seen", "Ends", "Actions"]}>
            {value.map((one) => (
              <SessionRow
                key={one.id}
                session={one}
                onEnd={() => {
                  ending.value = one;
                }}
              />
            ))}
          </ListTable>
        )}
      </Loading>
      {ending.value && (
        <EndSession
          session={ending.value}
          onEnded={sessions.reload}
          onClose={() => {
            ending.value = undefined;
          }}
        />
      )}
    </section>
  );
}

function SessionRow({ session, onEnd }: { readonly session: OpenSession; readonly onEnd: () => void }) {
  const device = deviceName(session.userAgent);
  return (
    <tr>
      <RowHeader label="Device">
        <LongText text={device} />
      </RowHeader>
      <Cell label="Signed in">
        <Timestamp at={session.createdAt} />
      </Cell>
      <Cell label="Last seen">
        <Timestamp at={session.lastSeenAt} />
      </Cell>
      <Cell label="Ends">
        <Timestamp at={session.expiresAt} precision="day" />
      </Cell>
      <Cell label="Actions">
        {session.isCurrent ? (
          <span class="badge active">This one</span>
        ) : (
          <button
            type="button"
            class="link"
            aria-label={`End session on ${shortName(device, "a device")}`}
            onClick={onEnd}
          >
            End
          </button>
        )}
      </Cell>
    </tr>
  );
}

interface EndSessionProps {
  readonly session: OpenSession;
  readonly onEnded: () => Promise<void>;
  readonly onClose: () => void;
}

function EndSession({ session, onEnded, onClose }: EndSessionProps) {
  async function end(): Promise<void> {
    await call("DELETE", `/account/sessions/${session.id}`);
    announce("Session ended");
    await onEnded();
  }
  return (
    <ConfirmDialog
      title="End this session?"
      confirmLabel="End session"
      cancelLabel="Keep session"
      onConfirm={end}
      onClose={onClose}
    >
      <p dir="auto">{deviceName(session.userAgent)} is signed out at once and has to sign in again.</p>
    </ConfirmDialog>
  );
}
