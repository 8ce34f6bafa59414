import type { KeyView } from "../../../keys/contract.ts";
import { isOwner } from "../account/session.ts";
import { DeleteDialog, type DeleteListeners } from "../components/delete-dialog.tsx";
import { useDialog } from "../components/dialog.tsx";
import { Empty } from "../components/empty.tsx";
import { lazy } from "../components/lazy.tsx";
import { Loading } from "../components/loading.tsx";
import { shortName } from "../components/long-text.tsx";
import { Screen } from "../components/screen.tsx";
import { call } from "../request.ts";
import { route } from "../router.ts";
import { useLoad } from "../use-load.ts";
import { CreateKey } from "./create-key.tsx";
import { KeyTable } from "./key-table.tsx";
import { NewKeyDialog } from "./new-key-dialog.tsx";

const KeyRequests = lazy(async () => (await import("./key-requests.tsx")).KeyRequests);
const ReplaceKey = lazy(async () => (await import("./replace-key.tsx")).ReplaceKey);

export function Keys() {
  const ofAll = isOwner.value && route.value.query.get("of") === "all";
  const path = ofAll ? "/keys/all" : "/keys";
  const keys = useLoad((signal) => call<readonly KeyView[]>("GET", path, { signal }), [path]);
  const revoking = useDialog<KeyView>();
  const explaining = useDialog<KeyView>();
  const replacing = useDialog<KeyView>();
  const newKey = useDialog<string>();
  function showReplacement(token: string): void {
    replacing.close();
    newKey.open(token);
    void keys.reload();
  }
  return (
    <Screen title="API keys">
      <div class="stack">
        <CreateKey onCreated={keys.reload} />
        {isOwner.value && (
          <p>
            {ofAll ? (
              <a href="/keys">Show only your keys</a>
            ) : (
              <a href="/keys?of=all">Show everybody's keys</a>
            )}
          </p>
        )}
        <Loading loaded={keys} what={ofAll ? "the keys" : "your keys"}>
          {(value) =>
            value.length === 0 ? (
              <NoKeys />
            ) : (
              <KeyTable
                keys={value}
                onExplain={explaining.open}
                onReplace={replacing.open}
                onRevoke={revoking.open}
              />
            )
          }
        </Loading>
      </div>
      {revoking.subject && (
        <RevokeKey apiKey={revoking.subject} onDeleted={keys.reload} onClose={revoking.close} />
      )}
      {explaining.subject && <KeyRequests apiKey={explaining.subject} onClose={explaining.close} />}
      {replacing.subject && (
        <ReplaceKey apiKey={replacing.subject} onReplaced={showReplacement} onClose={replacing.close} />
      )}
      {newKey.subject && <NewKeyDialog token={newKey.subject} onClose={newKey.close} />}
    </Screen>
  );
}

function NoKeys() {
  return (
    <Empty title="No keys yet.">
      <p>Programs need an API key to call the API. Generate the first one.</p>
    </Empty>
  );
}

function RevokeKey({ apiKey, ...listeners }: DeleteListeners & { readonly apiKey: KeyView }) {
  const name = shortName(apiKey.name, apiKey.id);
  return (
    <DeleteDialog
      title={`Revoke ${name}?`}
      send={() => call("DELETE", `/keys/${apiKey.id}`)}
      outcome={`${name} revoked`}
      confirmLabel="Revoke key"
      cancelLabel="Keep key"
      {...listeners}
    >
      <p>Programs that use it are refused from the next request on. This cannot be undone.</p>
    </DeleteDialog>
  );
}
