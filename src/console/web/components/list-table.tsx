import type { ComponentChildren } from "preact";

interface ListTableProps {
  readonly label: string;
  readonly columns: readonly string[];
  readonly children: ComponentChildren;
}

/** A table that becomes a stack of cards on a narrow screen. */
export function ListTable({ label, columns, children }: ListTableProps) {
  return (
    <div class="list-frame">
      <table class="list" aria-label={label}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

interface CellProps {
  /** The column's name: a card shows it beside the value. */
  readonly label: string;
  readonly children: ComponentChildren;
}

export function Cell({ label, children }: CellProps) {
  return (
    <td data-label={label}>
      <div>{children}</div>
    </td>
  );
}

export function RowHeader({ label, children }: CellProps) {
  return (
    <th scope="row" data-label={label}>
      <div>{children}</div>
    </th>
  );
}
