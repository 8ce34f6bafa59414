import type { OpenSession } from "../../../accounts/contract.ts";
import { DeleteDialog, type DeleteListeners } from "../components/delete-dialog.tsx";
import { useDialog } from "../components/dialog.tsx";
import { ListTable } from "../components/list-table.tsx";
import { Loading } from "../components/loading.tsx";
import { LongText, shortName } from "../components/long-text.tsx";
import { Timestamp } from "../components/timestamp.tsx";
import { call } from "../request.ts";
import type { Loaded } from "../use-load.ts";
import { deviceName } from "./device-name.ts";

export function AccountSessions({ sessions }: { readonly sessions: Loaded<readonly OpenSession[]> }) {
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
