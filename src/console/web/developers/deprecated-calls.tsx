import type { DeprecatedOperation } from "../../contract.ts";
import { ListTable } from "../components/list-table.tsx";
import { Loading } from "../components/loading.tsx";
import { LongText } from "../components/long-text.tsx";
import { Screen } from "../components/screen.tsx";
import { Timestamp } from "../components/timestamp.tsx";
import { useNotices } from "./program-notices.tsx";

export function DeprecatedCallsScreen() {
  return (
    <Screen title="Deprecated calls" actions={<a href="/docs/deprecations">How to move off</a>}>
      <Loading loaded={useNotices()} what="the calls">
        {({ deprecated }) => (
          <div class="tiles">
            {deprecated.map((operation) => (
              <DeprecatedCalls key={operation.operation} operation={operation} />
            ))}
          </div>
        )}
      </Loading>
    </Screen>
  );
}

export function DeprecatedCalls({ operation }: { readonly operation: DeprecatedOperation }) {
  const { operation: name, path, sunset, callers, otherCalls } = operation;
  const heading = `deprecated-${name}`;
  return (
    <section class="card wide" aria-labelledby={heading}>
      <h2 id={heading}>Calls to {name}, which is deprecated</h2>
      <p>
        <code>{path}</code> ends on <Timestamp at={sunset} precision="day" />.{" "}
        {callers.length === 0 && otherCalls === 0 && "No calls are recorded."}
      </p>
      {callers.length > 0 && (
        <ListTable
          label={`Callers of ${name}`}
          rows={callers.map((caller) => ({ ...caller, id: caller.keyId }))}
          columns={{
            Key: ({ keyName }) => <LongText text={keyName} />,
            Calls: ({ calls }) => calls.toLocaleString(),
            "Last call": ({ lastCalledAt }) => <Timestamp at={lastCalledAt} />,
          }}
        />
      )}
      {otherCalls > 0 && (
        <p class="muted">{otherCalls.toLocaleString()} calls were made with the keys of other accounts.</p>
      )}
    </section>
  );
}
