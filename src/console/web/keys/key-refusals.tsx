import type { KeyView, RefusalView } from "../../../keys/contract.ts";
import { Dialog } from "../components/dialog.tsx";
import { ListTable } from "../components/list-table.tsx";
import { Loading } from "../components/loading.tsx";
import { shortName } from "../components/long-text.tsx";
import { Timestamp } from "../components/timestamp.tsx";
import { call } from "../request.ts";
import { useLoad } from "../use-load.ts";

interface KeyRefusalsProps {
  readonly apiKey: KeyView;
  readonly onClose: () => void;
}

/** The last requests with a key that were refused: what its program does wrong. */
export function KeyRefusals({ apiKey: { id, name }, onClose }: KeyRefusalsProps) {
  const refusals = useLoad((signal) =>
    call<readonly RefusalView[]>("GET", `/keys/${id}/refusals`, { signal }),
  );
  return (
    <Dialog title={`Refused requests of ${shortName(name, id)}`} onClose={onClose}>
      <Loading loaded={refusals} what="the requests">
        {(rows) =>
          rows.length === 0 ? (
            <p>No request with this key was refused in the last 30 days.</p>
          ) : (
            <ListTable
              label="Refused requests"
              rows={rows.map((row) => ({ ...row, id: row.at + row.requestId }))}
              columns={COLUMNS}
            />
          )
        }
      </Loading>
      <div class="actions">
        <button type="button" class="secondary" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
}

const COLUMNS = {
  Request: ({ method, path }: RefusalView) => (
    <code>
      {method} {path}
    </code>
  ),
  Answer: ({ status, code }: RefusalView) => (
    <a href={`/docs/errors#${code}`}>
      {status} {code}
    </a>
  ),
  Time: ({ at }: RefusalView) => <Timestamp at={at} precision="ago" />,
  "Request id": ({ requestId }: RefusalView) => <code>{requestId}</code>,
};
