import type { AuditEntry } from "../../../accounts/audit/contract.ts";
import { Empty } from "../components/empty.tsx";
import { ListTable } from "../components/list-table.tsx";
import { PagedList, usePage } from "../components/paged-list.tsx";
import { Screen } from "../components/screen.tsx";
import { Timestamp } from "../components/timestamp.tsx";
import { callPage } from "../request.ts";

/** Text of an audit entry's action, such as `Account role changed`. */
function actionWords(action: AuditEntry["action"]): string {
  const words = action.replaceAll(/[.-]/g, " ");
  return (words[0] ?? "").toUpperCase() + words.slice(1);
}

export function Audit() {
  const entries = usePage((query, signal) => callPage<AuditEntry>("/audit", { query, signal }));
  return (
    <Screen title="Audit list">
      <PagedList loaded={entries} what="entries" empty={<Empty title="No entries yet." children={null} />}>
        {({ items }) => <ListTable label="Audit list" rows={items} columns={COLUMNS} />}
      </PagedList>
    </Screen>
  );
}

const COLUMNS = {
  Action: ({ action, times, at }: AuditEntry) => (
    <>
      {actionWords(action)}
      <span class="detail">
        <Timestamp at={at} />
        {times > 1 && `, ${times} times`}
      </span>
    </>
  ),
  Subject: ({ subject, detail }: AuditEntry) => (
    <>
      <span class="breakable">{subject === "" ? "An address without an account" : subject}</span>
      {detail !== "" && (
        <span class="detail breakable" dir="auto">
          {detail}
        </span>
      )}
    </>
  ),
  By: ({ actor, address }: AuditEntry) => (
    <>
      <span class="breakable">{actor.name === "" ? ACTOR_WORDS[actor.kind] : actor.name}</span>
      <span class="detail breakable">{address === null ? "At the command line" : `From ${address}`}</span>
    </>
  ),
};

const ACTOR_WORDS: Readonly<Record<AuditEntry["actor"]["kind"], string>> = {
  key: "A key",
  person: "A person",
  anonymous: "Not signed in",
  operator: "The operator",
};
