import type { KeyView, RefusalView } from "../../../keys/contract.ts";
import { ListTable } from "../components/list-table.tsx";
import { LoadingDialog } from "../components/loading-dialog.tsx";
import { shortName } from "../components/long-text.tsx";
import { Timestamp } from "../components/timestamp.tsx";

interface KeyRefusalsProps {
  readonly apiKey: KeyView;
  readonly onClose: () => void;
}

/** The last requests with a key that were refused: what its program does wrong. */
export function KeyRefusals({ apiKey: { id, name }, onClose }: KeyRefusalsProps) {
  return (
    <LoadingDialog<RefusalView>
      title={`Refused requests of ${shortName(name, id)}`}
      path={`/keys/${id}/refusals`}
      what="the requests"
      empty="No request with this key was refused in the last 30 days."
      onClose={onClose}
    >
      {(rows) => (
        <ListTable
          label="Refused requests"
          rows={rows.map((row) => ({ ...row, id: row.at + row.requestId }))}
          columns={COLUMNS}
        />
      )}
    </LoadingDialog>
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
