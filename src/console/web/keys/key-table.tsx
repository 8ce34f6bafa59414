import type { KeyView } from "../../../keys/contract.ts";
import { account } from "../account/session.ts";
import { ListTable } from "../components/list-table.tsx";
import { LongText, shortName } from "../components/long-text.tsx";
import { Timestamp } from "../components/timestamp.tsx";
import { formatRelative } from "../format.ts";

interface KeyTableProps {
  readonly keys: readonly KeyView[];
  readonly onExplain: (key: KeyView) => void;
  readonly onReplace: (key: KeyView) => void;
  readonly onRevoke: (key: KeyView) => void;
}

const STATES = {
  active: { words: "Active", badge: "active" },
  replaced: { words: "Replaced", badge: "pending" },
  expired: { words: "Expired", badge: "" },
  revoked: { words: "Revoked", badge: "" },
} as const;

export function KeyTable({ keys, onExplain, onReplace, onRevoke }: KeyTableProps) {
  return (
    <ListTable
      label="API keys"
      rows={keys.map((key) => ({ ...key, state: keyState(key) }))}
      isInactive={({ state }) => state === "expired" || state === "revoked"}
      columns={{
        Name: (key) => <KeyName {...key} />,
        Access: ({ access }) => ACCESS_WORDS[access],
        Expires: (key) => <Expiry {...key} />,
        "Last used": ({ lastUsedAt }) => (lastUsedAt ? <Timestamp at={lastUsedAt} /> : "Never"),
        State: ({ state }) => <span class={`badge ${STATES[state].badge}`}>{STATES[state].words}</span>,
        Actions: (key) => (
          <div class="row-actions">
            <Action words="Requests" label="Requests of" apiKey={key} onClick={onExplain} />
            {key.state === "active" && key.account === account.value?.email && (
              <Action words="Replace…" label="Replace" apiKey={key} onClick={onReplace} />
            )}
            {(key.state === "active" || key.state === "replaced") && (
              <Action words="Revoke" label="Revoke" apiKey={key} onClick={onRevoke} />
            )}
          </div>
        ),
      }}
    />
  );
}

interface ActionProps {
  readonly words: string;
  /** Start of the button's accessible name, before the key's name. */
  readonly label: string;
  readonly apiKey: KeyView;
  readonly onClick: (key: KeyView) => void;
}

function Action({ words, label, apiKey, onClick }: ActionProps) {
  const name = `${label} ${shortName(apiKey.name, apiKey.id)}`;
  return (
    <button type="button" class="link" aria-label={name} onClick={() => onClick(apiKey)}>
      {words}
    </button>
  );
}

function KeyName({ name, account: owner, createdAt, redacted }: KeyView) {
  return (
    <>
      {name.trim() === "" ? <em>No name</em> : <LongText text={name} />}
      <code class="detail">{redacted}</code>
      <span class="detail">
        Created <Timestamp at={createdAt} precision="day" />
        {owner !== account.value?.email && ` by ${owner}`}
      </span>
    </>
  );
}

const DAY_MS = 86_400_000;
/** Days before its expiry from which a key is marked, as in the notices. */
const NOTICE_DAYS = 30;

function Expiry({ expiresAt, replacedBy, revokedAt }: KeyView) {
  if (expiresAt === null) return "Never";
  const days = Math.ceil((Date.parse(expiresAt) - Date.now()) / DAY_MS);
  const isSoon = days > 0 && days <= NOTICE_DAYS && revokedAt === null && replacedBy === null;
  return (
    <>
      <Timestamp at={expiresAt} precision={replacedBy === null ? "day" : "minute"} />
      {isSoon && <strong class="detail">Expires {formatRelative(days, "day")}</strong>}
    </>
  );
}

type KeyState = "active" | "replaced" | "expired" | "revoked";

function keyState({ revokedAt, expiresAt, replacedBy }: KeyView): KeyState {
  if (revokedAt !== null) return "revoked";
  if (expiresAt !== null && Date.parse(expiresAt) <= Date.now()) return "expired";
  return replacedBy === null ? "active" : "replaced";
}

export const ACCESS_WORDS: Readonly<Record<KeyView["access"], string>> = {
  read: "Read only",
  "read-write": "Read and write",
};
