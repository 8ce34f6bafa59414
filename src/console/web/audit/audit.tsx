import type { AuditEntry } from "../../../accounts/audit/contract.ts";
import { timeColumn } from "../components/columns.tsx";
import { ListScreen } from "../components/list-screen.tsx";
import { usePage } from "../components/paged-list.tsx";
import { capitalized } from "../format.ts";

export function Audit() {
  const entries = usePage<AuditEntry>("/audit");
  return (
    <ListScreen
      title="Audit log"
      what="entries"
      loaded={entries}
      empty="No entries yet."
      hint="Changes to accounts, keys and webhooks are listed here."
      columns={COLUMNS}
    />
  );
}

const COLUMNS = {
  Action: {
    cell: ({ action, times }: AuditEntry) =>
      (action === "session.created" ? "Signed in" : capitalized(action.replaceAll(/[.-]/g, " "))) +
      (times > 1 ? `, ${times} times` : ""),
    isShort: true,
  },
  Subject: {
    cell: ({ subject, detail }: AuditEntry) => (
      <span dir="auto">
        {[subject || "An email address without an account", detail].filter(Boolean).join(" · ")}
      </span>
    ),
    isLabelled: true,
  },
  By: {
    cell: ({ actor, address }: AuditEntry) =>
      `${actor.name || ACTOR_WORDS[actor.kind]} · ${address === null ? "at the command line" : `from ${address}`}`,
    isLabelled: true,
  },
  Time: { ...timeColumn(({ at }: AuditEntry) => at), phone: "first" },
} as const;

const ACTOR_WORDS: Readonly<Record<AuditEntry["actor"]["kind"], string>> = {
  key: "A key",
  person: "A person",
  anonymous: "Not signed in",
  operator: "The operator",
};
