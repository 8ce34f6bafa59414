import type { KeyRequestView, KeyView, RefusalView } from "../../../keys/contract.ts";
import { Dialog } from "../components/dialog.tsx";
import { ListTable } from "../components/list-table.tsx";
import { Loading } from "../components/loading.tsx";
import { shortName } from "../components/long-text.tsx";
import { Timestamp } from "../components/timestamp.tsx";
import { call } from "../request.ts";
import { useLoad } from "../use-load.ts";

interface KeyRequestsProps {
  readonly apiKey: KeyView;
  readonly onClose: () => void;
}

/** The last requests with a key, and those that were refused: what its program does, and does wrong. */
export function KeyRequests({ apiKey: { id, name }, onClose }: KeyRequestsProps) {
  const loaded = useLoad(async (signal) => ({
    requests: await call<readonly KeyRequestView[]>("GET", `/keys/${id}/requests`, { signal }),
    refusals: await call<readonly RefusalView[]>("GET", `/keys/${id}/refusals`, { signal }),
  }));
  return (
    <Dialog title={`Requests of ${shortName(name, id)}`} onClose={onClose}>
      <Loading loaded={loaded} what="the requests">
        {({ requests, refusals }) => (
          <div class="stack">
            <section aria-labelledby="refusals-heading">
              <h3 id="refusals-heading">Refused</h3>
              {refusals.length === 0 && <p class="muted">No request was refused in the last 30 days.</p>}
              {refusals.length > 0 && (
                <ListTable
                  label="Refused requests"
                  rows={refusals.map(withId)}
                  columns={{ Request: RefusedPath, Answer: ErrorLink, ...WHEN_AND_ID }}
                />
              )}
            </section>
            <section aria-labelledby="requests-heading">
              <h3 id="requests-heading">Latest</h3>
              {requests.length === 0 && <p class="muted">There was no request in the last 30 days.</p>}
              {requests.length > 0 && (
                <ListTable
                  label="Latest requests"
                  rows={requests.map(withId)}
                  columns={{ Request: Route, Answer: ({ status }) => status, ...WHEN_AND_ID }}
                />
              )}
            </section>
          </div>
        )}
      </Loading>
      <div class="actions">
        <button type="button" class="secondary" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
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
