import type { KeyRequestView, KeyView, RefusalView } from "../../../keys/contract.ts";
import { ListTable } from "../components/list-table.tsx";
import { LoadingDialog } from "../components/loading-dialog.tsx";
import { shortName } from "../components/long-text.tsx";
import { Timestamp } from "../components/timestamp.tsx";
import { call } from "../request.ts";

type Logged = Partial<KeyRequestView & RefusalView> &
  Pick<RefusalView, "at" | "method" | "status" | "requestId">;

export function KeyRequests({ id, name }: KeyView) {
  const load = async (signal: AbortSignal) => ({
    Latest: await call<readonly Logged[]>("GET", `/keys/${id}/requests`, { signal }),
    Refused: await call<readonly Logged[]>("GET", `/keys/${id}/refusals`, { signal }),
  });
  return (
    <LoadingDialog title={`Requests with the key ${shortName(name, id)}`} load={load} what="the requests">
      {(lists) =>
        Object.entries(lists).map(([heading, rows]) => (
          <section key={heading}>
            <h3>{heading}</h3>
            {rows.length === 0 ? (
              <p class="muted">No requests in the last 30 days.</p>
            ) : (
              <ListTable
                label={`${heading} requests`}
                rows={rows.map((row, index) => ({ ...row, id: `${index} ${row.requestId}` }))}
                columns={COLUMNS}
              />
            )}
          </section>
        ))
      }
    </LoadingDialog>
  );
}

const COLUMNS = {
  Request: ({ method, path, route }: Logged) => (
    <code>
      {method} {path ?? (route || "(an unknown path)")}
    </code>
  ),
  Answer: ({ status, code }: Logged) =>
    code === undefined ? (
      status
    ) : (
      <a href={`/docs/errors#${code}`}>
        {status} {code}
      </a>
    ),
  Time: ({ at }: Logged) => <Timestamp at={at} precision="ago" />,
  "Request id": ({ requestId }: Logged) => <code>{requestId}</code>,
};
