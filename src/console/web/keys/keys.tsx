import { useSignal } from "@preact/signals";
import type { KeyView } from "../../../keys/contract.ts";
import { announce } from "../components/announce.tsx";
import { ConfirmDialog } from "../components/confirm-dialog.tsx";
import { Empty } from "../components/empty.tsx";
import { Cell, ListTable, RowHeader } from "../components/list-table.tsx";
import { Loading } from "../components/loading.tsx";
import { LongText, shortName } from "../components/long-text.tsx";
import { Screen } from "../components/screen.tsx";
import { Timestamp } from "../components/timestamp.tsx";
import { call } from "../request.ts";
import { useLoad } from "../use-load.ts";
import { ACCESS_WORDS, keyState } from "./api-key.ts";
import { CreateKey } from "./create-key.tsx";

export function Keys() {
  const keys = useLoad((signal) => call<readonly KeyView[]>("GET", "/keys", { signal }));
  const revoking = useSignal<KeyView | undefined>(undefined);
  return (
    <Screen title="API keys">
      <div class="stack">
        <CreateKey onCreated={keys.reload} />
        <Loading loaded={keys} what="your keys">
          {(value) =>
            value.length === 0 ? (
              <NoKeys />
            ) : (
              <KeyTable
                keys={value}
                onRevoke={(key) => {
                  revoking.value = key;
                }}
              />
            )
          }
        </Loading>
      </div>
      {revoking.value && (
        <RevokeKey
          apiKey={revoking.value}
          onRevoked={keys.reload}
          onClose={() => {
            revoking.value = undefined;
          }}
        />
      )}
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
}

function KeyTable({ keys, onRevoke }: KeyTableProps) {
  return (
    <ListTable label="API keys" columns={["Name", "Access", "Expires", "Last used", "State", "Actions"]}>
      {keys.map((key) => (
        <KeyRow key={key.id} apiKey={key} onRevoke={onRevoke} />
      ))}
    </ListTable>
  );
}

interface KeyRowProps {
  readonly apiKey: KeyView;
  readonly onRevoke: (key: KeyView) => void;
}

function KeyRow({ apiKey, onRevoke }: KeyRowProps) {
  const { id, name, access, createdAt, expiresAt, lastUsedAt } = apiKey;
  const state = keyState(apiKey);
  return (
    <tr class={state === "active" ? undefined : "is-inactive"}>
      <RowHeader label="Name">
        {name.trim() === "" ? <em>No name</em> : <LongText text={name} />}
        <span class="detail">
          Created <Timestamp at={createdAt} precision="day" />
        </span>
      </RowHeader>
      <Cell label="Access">{ACCESS_WORDS[access]}</Cell>
      <Cell label="Expires">
        {expiresAt === null ? "Never" : <Timestamp at={expiresAt} precision="day" />}
      </Cell>
      <Cell label="Last used">{lastUsedAt === null ? "Never" : <Timestamp at={lastUsedAt} />}</Cell>
      <Cell label="State">
        <span class={`badge ${state}`}>
          {{ active: "Active", expired: "Expired", revoked: "Revoked" }[state]}
        </span>
      </Cell>
      <Cell label="Actions">
        {state === "active" ? (
          <button
            type="button"
            class="link"
            aria-label={`Revoke ${shortName(name, id)}`}
            onClick={() => onRevoke(apiKey)}
          >
            Revoke
          </button>
        ) : (
          <span class="muted">None</span>
        )}
      </Cell>
    </tr>
  );
}

interface RevokeKeyProps {
  readonly apiKey: KeyView;
  readonly onRevoked: () => Promise<void>;
  readonly onClose: () => void;
}

function RevokeKey({ apiKey, onRevoked, onClose }: RevokeKeyProps) {
  const name = shortName(apiKey.name, apiKey.id);
  async function revoke(): Promise<void> {
    await call("DELETE", `/keys/${apiKey.id}`);
    announce(`${name} revoked`);
    await onRevoked();
  }
  return (
    <ConfirmDialog
      title={`Revoke ${name}?`}
      confirmLabel="Revoke key"
      cancelLabel="Keep key"
      onConfirm={revoke}
      onClose={onClose}
    >
      <p>Programs that use it are refused from the next request on. This cannot be undone.</p>
    </ConfirmDialog>
  );
}
