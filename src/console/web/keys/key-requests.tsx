import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import type { KeyRequestView, KeyView, RefusalView } from "../../../keys/contract.ts";
import { ListTable } from "../components/list-table.tsx";
import { LoadingDialog } from "../components/loading-dialog.tsx";
import { shortName } from "../components/long-text.tsx";
import { Timestamp } from "../components/timestamp.tsx";
import { call } from "../request.ts";

interface KeyRequestsProps {
  readonly apiKey: KeyView;
  readonly onClose: () => void;
}

export function KeyRequests({ apiKey: { id, name }, onClose }: KeyRequestsProps) {
  const load = async (signal: AbortSignal) => ({
    requests: await call<readonly KeyRequestView[]>("GET", `/keys/${id}/requests`, { signal }),
    refusals: await call<readonly RefusalView[]>("GET", `/keys/${id}/refusals`, { signal }),
  });
  return (
    <LoadingDialog
      title={`Requests of ${shortName(name, id)}`}
      load={load}
      what="the requests"
      onClose={onClose}
    >
      {({ requests, refusals }) => (
        <div class="stack">
          <Requests
            heading="Refused"
            empty="No request was refused in the last 30 days."
            rows={refusals}
            columns={{ Request: RefusedPath, Answer: ErrorLink, ...WHEN_AND_ID }}
          />
          <Requests
            heading="Latest"
            empty="There was no request in the last 30 days."
            rows={requests}
            columns={{ Request: Route, Answer: ({ status }) => status, ...WHEN_AND_ID }}
          />
        </div>
      )}
    </LoadingDialog>
  );
}

interface RequestsProps<Row> {
  readonly heading: string;
  readonly empty: string;
  readonly rows: readonly Row[];
  readonly columns: Readonly<Record<string, (row: Row) => ComponentChildren>>;
}

function Requests<Row extends KeyRequestView | RefusalView>({
  heading,
  empty,
  rows,
  columns,
}: RequestsProps<Row>) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h3 id={id}>{heading}</h3>
      {rows.length === 0 ? (
        <p class="muted">{empty}</p>
      ) : (
        <ListTable label={`${heading} requests`} rows={rows.map(withId)} columns={columns} />
      )}
    </section>
  );
}

const WHEN_AND_ID = {
  Time: ({ at }: KeyRequestView | RefusalView) => <Timestamp at={at} precision="ago" />,
  "Request id": ({ requestId }: KeyRequestView | RefusalView) => <code class="breakable">{requestId}</code>,
};

function withId<Row extends KeyRequestView | RefusalView>(row: Row, index: number) {
  return { ...row, id: `${index} ${row.requestId}` };
}

function RefusedPath({ method, path }: RefusalView) {
  return (
    <code class="breakable">
      {method} {path}
    </code>
  );
}

function ErrorLink({ status, code }: RefusalView) {
  return (
    <a href={`/docs/errors#${code}`}>
      {status} {code}
    </a>
  );
}

function Route({ method, route }: KeyRequestView) {
  return (
    <code class="breakable">
      {method} {route || "(an unknown path)"}
    </code>
  );
}
