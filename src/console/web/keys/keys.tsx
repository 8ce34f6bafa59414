import type { KeyView } from "../../../keys/contract.ts";
import { account, isOwner } from "../account/session.ts";
import { Badge } from "../components/badge.tsx";
import { timeColumn, wideOnly, wordColumn } from "../components/columns.tsx";
import { DeleteDialog } from "../components/delete-dialog.tsx";
import { DialogMenu } from "../components/dialog-menu.tsx";
import { lazyDialog } from "../components/lazy-dialog.tsx";
import { ListScreen } from "../components/list-screen.tsx";
import { shortName } from "../components/long-text.tsx";
import { usePage } from "../components/paged-list.tsx";
import { FilterTabs } from "../components/status-filter.tsx";
import { Timestamp } from "../components/timestamp.tsx";
import { call } from "../request.ts";
import { route } from "../router.ts";
import { ACCESS_WORDS } from "./access-words.ts";

const NewKey = lazyDialog(async () => (await import("./new-key.tsx")).NewKey);
const ReplaceKey = lazyDialog(async () => (await import("./new-key.tsx")).ReplaceKey);
const KeyRequests = lazyDialog(async () => (await import("./key-requests.tsx")).KeyRequests);

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
      isInactive={(key) => ["expired", "revoked"].includes(stateOf(key))}
      actions={{ cell: (key) => <KeyMenu {...key} />, width: "4.5rem" }}
    >
      {isOwner.value && <FilterTabs label="Keys by account" name="of" choices={["yours", "all"]} />}
    </ListScreen>
  );
}

const COLUMNS = {
  Name: ({ name }: KeyView) => <span dir="auto">{shortName(name, "No name")}</span>,
  Key: { cell: ({ redacted }: KeyView) => <code>{redacted}</code>, isShort: true },
  Access: wideOnly(({ access }: KeyView) => ACCESS_WORDS[access]),
  Expires: wideOnly(({ expiresAt }: KeyView) =>
    expiresAt ? <Timestamp at={expiresAt} precision="day" /> : "Never",
  ),
  "Last used": timeColumn(({ lastUsedAt }: KeyView) => lastUsedAt, "Never"),
  State: wordColumn((key: KeyView) => {
    const days = daysLeft(key);
    if (stateOf(key) !== "active" || days > 30) return <Badge status={stateOf(key)} />;
    return <span class="badge pending">{days === 1 ? "1 day" : `${days} days`} left</span>;
  }),
};

const daysLeft = ({ expiresAt }: KeyView) =>
  expiresAt === null ? Infinity : Math.ceil((Date.parse(expiresAt) - Date.now()) / 86_400_000);

function stateOf(key: KeyView) {
  if (key.revokedAt !== null) return "revoked";
  if (daysLeft(key) <= 0) return "expired";
  return key.replacedBy === null ? "active" : "replaced";
}

function KeyMenu(apiKey: KeyView) {
  const state = stateOf(apiKey);
  const isOwn = apiKey.account === account.value?.email;
  return (
    <DialogMenu
      of={shortName(apiKey.name, apiKey.id)}
      dialogs={{
        Requests: <KeyRequests {...apiKey} />,
        "Replace…": state === "active" && isOwn && <ReplaceKey {...apiKey} />,
        "Revoke…": (state === "active" || state === "replaced") && <RevokeKey {...apiKey} />,
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
      cancelLabel="Cancel"
    >
      <p>Programs that use this key stop working. This can't be undone.</p>
    </DeleteDialog>
  );
}
