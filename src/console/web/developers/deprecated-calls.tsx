import { ListTable } from "../components/list-table.tsx";
import { Loading } from "../components/loading.tsx";
import { LongText } from "../components/long-text.tsx";
import { Screen } from "../components/screen.tsx";
import { Timestamp } from "../components/timestamp.tsx";
import { formatNumber } from "../format.ts";
import { useNotices } from "./program-notices.tsx";

export function DeprecatedCallsScreen() {
  return (
    <Screen title="Deprecated calls" actions={<a href="/docs/deprecations">What to use instead</a>}>
      <Loading loaded={useNotices()} what="the calls">
        {({ deprecated }) =>
          deprecated.map(({ operation, path, sunset, callers, otherCalls }) => (
            <section key={operation} class="card" aria-labelledby={`deprecated-${operation}`}>
              <h2 id={`deprecated-${operation}`}>Calls to {operation}, which is deprecated</h2>
              <p>
                <code>{path}</code> will be removed on <Timestamp at={sunset} precision="day" />.{" "}
                {callers.length === 0 && otherCalls === 0 && "No program has called this operation."}
              </p>
              {callers.length > 0 && (
                <ListTable
                  label={`Callers of ${operation}`}
                  rows={callers.map((caller) => ({ ...caller, id: caller.keyId }))}
                  columns={{
                    Key: ({ keyName }) => <LongText text={keyName} />,
                    Calls: { cell: ({ calls }) => formatNumber(calls), isLabelled: true },
                    "Last call": {
                      cell: ({ lastCalledAt }) => <Timestamp at={lastCalledAt} />,
                      isLabelled: true,
                    },
                  }}
                />
              )}
              {otherCalls > 0 && (
                <p class="muted">{formatNumber(otherCalls)} calls were made with other accounts' keys.</p>
              )}
            </section>
          ))
        }
      </Loading>
    </Screen>
  );
}
