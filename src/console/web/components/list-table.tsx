import type { ComponentChildren } from "preact";

interface ListTableProps<Row> {
  readonly label: string;
  readonly rows: readonly Row[];
  /** Cells by the name of their column; the first is the row's header. */
  readonly columns: Readonly<Record<string, (row: Row) => ComponentChildren>>;
  readonly isInactive?: (row: Row) => boolean;
  /** Identifiers of rows that are not in the list any more. */
  readonly gone?: ReadonlySet<unknown> | undefined;
}

/** A table; on a narrow screen a stack of cards, with its column's name beside each value. */
export function ListTable<Row extends { readonly id: unknown }>(props: ListTableProps<Row>) {
  const { label, rows, columns, isInactive, gone } = props;
  const [[header, showHeader] = ["", () => null], ...others] = Object.entries(columns);
  return (
    <div class="list-frame">
      <table class="list" aria-label={label}>
        <thead>
          <tr>
            {Object.keys(columns).map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={String(row.id)} class={rowClass(isInactive?.(row), gone?.has(row.id))}>
              <th scope="row" data-label={header}>
                <div>
                  {showHeader(row)}
                  {gone?.has(row.id) && <span class="gone-note">Gone</span>}
                </div>
              </th>
              {others.map(([column, show]) => (
                <td key={column} data-label={column}>
                  <div>{show(row)}</div>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function rowClass(isInactive = false, isGone = false): string | undefined {
  if (isGone) return "is-inactive is-gone";
  return isInactive ? "is-inactive" : undefined;
}
