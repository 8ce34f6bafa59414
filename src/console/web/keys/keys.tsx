import type { KeyView } from "../../../keys/contract.ts";
import { account, isOwner } from "../account/session.ts";
import { timeColumn, wideOnly, wordColumn } from "../components/columns.tsx";
import { DeleteDialog } from "../components/delete-dialog.tsx";
import { closeDialog, finishDialog } from "../components/dialog.tsx";
import { DialogMenu } from "../components/dialog-menu.tsx";
import { ListScreen } from "../components/list-screen.tsx";
import { shortName } from "../components/long-text.tsx";
import { usePage } from "../components/paged-list.tsx";
import { FilterTabs } from "../components/status-filter.tsx";
import { Timestamp } from "../components/timestamp.tsx";
import { call } from "../request.ts";
import { route } from "../router.ts";
import { KeyRequests } from "./key-requests.tsx";
import { ACCESS_WORDS, stateOf } from "./key-state.ts";
import { NewKey } from "./new-key.tsx";
import { ReplaceKey } from "./replace-key.tsx";

const TABS = [
  { value: "", label: "Yours" },
  { value: "all", label: "Everybody's" },
];

export function Keys() {
  const ofAll = isOwner.value && route.value.query.get("of") === "all";
  const keys = usePage<KeyView>(ofAll ? "/keys/all" : "/keys");
  return (
    <ListScreen
      title="API keys"
      create={{ label: "New key", dialog: <NewKey /> }}
      what="keys"
      loaded={keys}
      empty="No keys yet."
      hint="Programs need an API key to call the API."
      columns={ofAll ? { ...COLUMNS, Account: ({ account: email }) => email } : COLUMNS}
      isInactive={(key) => stateOf(key).badge === ""}
      actions={{ cell: (key) => <KeyMenu {...key} />, width: "4.5rem" }}
    >
      {isOwner.value && <FilterTabs label="Keys by account" name="of" choices={TABS} />}
    </ListScreen>
  );
}

const COLUMNS = {
  Name: ({ name }: KeyView) => <span dir="auto">{shortName(name, "No name")}</span>,
  Key: ({ redacted }: KeyView) => <code>{redacted}</code>,
  Access: wideOnly(({ access }: KeyView) => ACCESS_WORDS[access]),
  Expires: wideOnly(({ expiresAt }: KeyView) =>
    expiresAt ? <Timestamp at={expiresAt} precision="day" /> : "Never",
  ),
  "Last used": timeColumn(({ lastUsedAt }: KeyView) => lastUsedAt, "Never"),
  State: wordColumn((key: KeyView) => (
    <span class={`badge ${stateOf(key).badge}`}>{stateOf(key).words}</span>
  )),
};

function KeyMenu(apiKey: KeyView) {
  const { words } = stateOf(apiKey);
  const isActive = words === "Active";
  const isOwn = apiKey.account === account.value?.email;
  return (
    <DialogMenu
      of={shortName(apiKey.name, apiKey.id)}
      dialogs={{
        Requests: <KeyRequests {...apiKey} />,
        "Replace…": isActive && isOwn && <ReplaceKey {...apiKey} />,
        "Revoke…": (isActive || words === "Replaced") && <RevokeKey {...apiKey} />,
      }}
    />
  );
}

function RevokeKey({ id, name }: KeyView) {
  return (
    <DeleteDialog
      title={`Revoke ${shortName(name, id)}?`}
      send={() => call("DELETE", `/keys/${id}`)}
      outcome={`${shortName(name, id)} revoked`}
      confirmLabel="Revoke key"
      cancelLabel="Keep key"
      onDeleted={finishDialog}
      onClose={closeDialog}
    >
      <p>Programs that use it are refused from the next request on. This cannot be undone.</p>
    </DeleteDialog>
  );
}
