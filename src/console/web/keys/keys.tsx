import type { KeyView } from "../../../keys/contract.ts";
import { account, isOwner } from "../account/session.ts";
import { DeleteDialog, type DeleteListeners } from "../components/delete-dialog.tsx";
import { useDialog } from "../components/dialog.tsx";
import { Empty } from "../components/empty.tsx";
import { ListTable } from "../components/list-table.tsx";
import { Loading } from "../components/loading.tsx";
import { LongText, shortName } from "../components/long-text.tsx";
import { Screen } from "../components/screen.tsx";
import { Timestamp } from "../components/timestamp.tsx";
import { call } from "../request.ts";
import { route } from "../router.ts";
import { useLoad } from "../use-load.ts";
import { ACCESS_WORDS, keyState } from "./api-key.ts";
import { CreateKey } from "./create-key.tsx";
import { KeyRefusals } from "./key-refusals.tsx";

export function Keys() {
  const ofAll = isOwner.value && route.value.query.get("of") === "all";
  const path = ofAll ? "/keys/all" : "/keys";
  const keys = useLoad((signal) => call<readonly KeyView[]>("GET", path, { signal }), [path]);
  const revoking = useDialog<KeyView>();
  const explaining = useDialog<KeyView>();
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
              <KeyTable keys={value} onRevoke={revoking.open} onExplain={explaining.open} />
            )
          }
        </Loading>
      </div>
      {revoking.subject && (
        <RevokeKey apiKey={revoking.subject} onDeleted={keys.reload} onClose={revoking.close} />
      )}
      {explaining.subject && <KeyRefusals apiKey={explaining.subject} onClose={explaining.close} />}
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

interface KeyTableProps {
  readonly keys: readonly KeyView[];
  readonly onRevoke: (key: KeyView) => void;
  /** Shows why requests were refused. */
  readonly onExplain: (key: KeyView) => void;
}

const STATE_WORDS = { active: "Active", expired: "Expired", revoked: "Revoked" } as const;

function KeyTable({ keys, onRevoke, onExplain }: KeyTableProps) {
  return (
    <ListTable
      label="API keys"
      rows={keys.map((key) => ({ ...key, state: keyState(key) }))}
      isInactive={({ state }) => state !== "active"}
      columns={{
        Name: (key) => <KeyName {...key} />,
        Access: ({ access }) => ACCESS_WORDS[access],
        Expires: ({ expiresAt }) => (expiresAt ? <Timestamp at={expiresAt} precision="day" /> : "Never"),
        "Last used": ({ lastUsedAt }) => (lastUsedAt ? <Timestamp at={lastUsedAt} /> : "Never"),
        State: ({ state }) => <span class={`badge ${state}`}>{STATE_WORDS[state]}</span>,
        Actions: (key) => (
          <div class="row-actions">
            <button
              type="button"
              class="link"
              aria-label={`Refusals of ${shortName(key.name, key.id)}`}
              onClick={() => onExplain(key)}
            >
              Refusals
            </button>
            {key.state === "active" && (
              <button
                type="button"
                class="link"
                aria-label={`Revoke ${shortName(key.name, key.id)}`}
                onClick={() => onRevoke(key)}
              >
                Revoke
              </button>
            )}
          </div>
        ),
      }}
    />
  );
}

function KeyName({ name, account: owner, createdAt }: KeyView) {
  return (
    <>
      {name.trim() === "" ? <em>No name</em> : <LongText text={name} />}
      <span class="detail">
        Created <Timestamp at={createdAt} precision="day" />
        {owner !== account.value?.email && ` by ${owner}`}
      </span>
    </>
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
