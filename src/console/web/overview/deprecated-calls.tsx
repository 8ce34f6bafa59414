import { Cell, ListTable, RowHeader } from "../components/list-table.tsx";
import { LongText } from "../components/long-text.tsx";
import { Timestamp } from "../components/timestamp.tsx";

export interface DeprecatedOperation {
  readonly operation: string;
  /** `GET /pets/{petId}` */
  readonly path: string;
  readonly sunset: string;
  readonly callers: readonly {
    readonly keyId: string;
    readonly keyName: string;
    readonly calls: number;
    readonly lastCalledAt: string;
  }[];
  /** Calls made with keys that are not this account's. */
  readonly otherCalls: number;
}

/** Who has yet to move off an operation that is going to end. */
export function DeprecatedCalls({ operation }: { readonly operation: DeprecatedOperation }) {
  const { operation: name, path, sunset, callers, otherCalls } = operation;
  const heading = `deprecated-${name}`;
  return (
    <section class="card wide" aria-labelledby={heading}>
      <h2 id={heading}>Still calling {name}</h2>
      <p>
        <code>{path}</code> ends on <Timestamp at={sunset} precision="day" />.{" "}
        {callers.length === 0 && otherCalls === 0 && "Nobody calls it."}
      </p>
      {callers.length > 0 && (
        <ListTable label={`Callers of ${name}`} columns={["Key", "Calls", "Last call"]}>
          {callers.map(({ keyId, keyName, calls, lastCalledAt }) => (
            <tr key={keyId}>
              <RowHeader label="Key">
                <LongText text={keyName} />
              </RowHeader>
              <Cell label="Calls">{calls.toLocaleString()}</Cell>
              <Cell label="Last call">
                <Timestamp at={lastCalledAt} />
              </Cell>
            </tr>
          ))}
        </ListTable>
      )}
      {otherCalls > 0 && (
        <p class="muted">{otherCalls.toLocaleString()} calls came with other people's keys.</p>
      )}
    </section>
  );
}
