import type { ComponentChildren } from "preact";
import { useRowKeys } from "./row-keys.ts";

interface ListTableProps<Row> {
  readonly label: string;
  readonly rows: readonly Row[];
  /** Functions that render a row's cells, by column name; the first cell is the row's header. */
  readonly columns: Readonly<Record<string, (row: Row) => ComponentChildren>>;
  readonly isInactive?: (row: Row) => boolean;
  /** Identifiers of rows that are no longer in the list. */
  readonly gone?: ReadonlySet<unknown> | undefined;
  readonly selection?: Selection<Row> | undefined;
}

interface Selection<Row> {
  readonly all: ComponentChildren;
  readonly one: (row: Row) => ComponentChildren;
  readonly isSelected: (row: Row) => boolean;
}

/** A table; on a narrow screen a stack of cards, each value with its column's name. */
export function ListTable<Row extends { readonly id: unknown }>(props: ListTableProps<Row>) {
  const { label, rows, columns, isInactive, gone, selection } = props;
  const [[header, showHeader] = ["", () => null], ...others] = Object.entries(columns);
  return (
    <div class="list-frame">
      <table {...useRowKeys()} class="list" aria-label={label}>
        <thead>
          <tr>
            {selection && <th class="select">{selection.all}</th>}
            {Object.keys(columns).map((column) => (
              <th key={column} scope="col" data-label={column}>
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr
              key={String(row.id)}
              class={rowClass(isInactive?.(row), gone?.has(row.id), selection?.isSelected(row))}
            >
              {selection && <td class="select">{selection.one(row)}</td>}
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

function rowClass(isInactive = false, isGone = false, isSelected = false): string | undefined {
  const names = [isGone && "is-gone", (isGone || isInactive) && "is-inactive", isSelected && "is-selected"];
  return names.filter(Boolean).join(" ") || undefined;
}
