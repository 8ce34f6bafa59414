import type { ComponentChildren } from "preact";
import { useRowKeys } from "./row-keys.ts";

type Cell<Row> = (row: Row) => ComponentChildren;

interface ColumnOptions<Row> {
  readonly cell: Cell<Row>;
  /**
   * The column's width in a table, such as `7rem`, or `24cqi` for 24 % of the list's width. The column becomes wider if its content
   * needs more space. Columns without a width share the remaining space according to their content.
   */
  readonly width?: string;
  /** True if the column contains words, numbers or times, which must never be cut off. */
  readonly isShort?: boolean;
  /**
   * The place of the value on a phone. `first`: the end of the row's first line. `hidden`: the value is not shown. By default,
   * the value is in the second line, which has space for two values.
   */
  readonly phone?: "first" | "hidden";
  /** True if the name of the column is shown together with the value on a phone, where there are no column headings. */
  readonly isLabelled?: boolean;
  /** True if a long text is wrapped. Otherwise, a long text is cut off with an ellipsis, and a tooltip shows the whole text. */
  readonly isWrapped?: boolean;
}

type Column<Row> = Cell<Row> | ColumnOptions<Row>;

/**
 * The columns, keyed by name. The cell in the first column is the row's header. On a phone, the link in this cell covers the
 * whole row.
 */
export type Columns<Row> = Readonly<Record<string, Column<Row>>>;

interface ListTableProps<Row> {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly columns: Columns<Row>;
  /** The controls at the end of a row: at most one button, and a `Menu`. */
  readonly actions?: Column<Row> | false | undefined;
  readonly isInactive?: (row: Row) => boolean;
  /** The identifiers of rows that are no longer in the list. */
  readonly gone?: ReadonlySet<unknown> | undefined;
  readonly selection?: Selection<Row> | undefined;
}

interface Selection<Row> {
  readonly all: ComponentChildren;
  readonly one: (row: Row) => ComponentChildren;
  readonly isSelected: (row: Row) => boolean;
}

/** A table whose rows are one line high. On a narrow screen, they are two lines high. */
export function ListTable<Row extends { readonly id: unknown }>(props: ListTableProps<Row>) {
  const { label, rows, columns, actions, selection } = props;
  const shown = Object.entries(columns).map(([name, column]) => ({ name, ...optionsOf(column) }));
  const tail = actions ? { width: "10rem", ...optionsOf(actions) } : undefined;
  return (
    <div class="list-frame">
      <table {...useRowKeys()} class="list" aria-label={label}>
        <thead>
          <tr>
            {selection && <th class="select">{selection.all}</th>}
            {shown.map(({ name, width, phone }) => (
              <th key={name} scope="col" class={phone} style={{ width }}>
                {name}
              </th>
            ))}
            {tail && (
              <th scope="col" style={{ width: tail.width }}>
                <span class="visually-hidden">Actions</span>
              </th>
            )}
          </tr>
        </thead>
        {/* The rows are not translated, because a browser's translator replaces text nodes, and later updates would then change
            the removed nodes. */}
        <tbody translate={false}>{rows.map((row) => tableRow(row, shown, tail, props))}</tbody>
      </table>
    </div>
  );
}

function tableRow<Row extends { readonly id: unknown }>(
  row: Row,
  columns: readonly (ColumnOptions<Row> & { readonly name: string })[],
  tail: ColumnOptions<Row> | undefined,
  { gone, isInactive, selection }: ListTableProps<Row>,
) {
  const isGone = gone?.has(row.id);
  return (
    <tr
      key={String(row.id)}
      class={classes(
        (isGone || isInactive?.(row)) && "is-inactive",
        selection?.isSelected(row) && "is-selected",
      )}
    >
      {selection && <td class="select">{selection.one(row)}</td>}
      {columns.map(({ name, phone, cell, isShort, isWrapped, isLabelled }, index) => {
        const Tag = index === 0 ? "th" : "td";
        return (
          <Tag
            key={name}
            scope={index === 0 ? "row" : undefined}
            class={classes(isShort && "short", isWrapped && "wrapped", isLabelled && "labelled", phone)}
          >
            {isWrapped ? (
              <div>{cell(row)}</div>
            ) : (
              <div ref={(cell) => showWhole(cell)} class="line">
                <div data-label={isLabelled ? name : undefined}>{cell(row)}</div>
              </div>
            )}
          </Tag>
        );
      })}
      {tail && (
        <td class="tail">
          <div class="row-actions">{isGone ? <span class="muted">Gone</span> : tail.cell(row)}</div>
        </td>
      )}
    </tr>
  );
}

function optionsOf<Row>(column: Column<Row>): ColumnOptions<Row> {
  return typeof column === "function" ? { cell: column } : column;
}

/** Gives a cell a tooltip that contains its whole text. */
function showWhole(cell: HTMLElement | null) {
  if (cell !== null) cell.title = cell.textContent ?? "";
}

function classes(...names: readonly (string | false | undefined)[]): string | undefined {
  return names.filter(Boolean).join(" ") || undefined;
}
