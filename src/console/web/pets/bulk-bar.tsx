import { type Signal, useSignal } from "@preact/signals";
import { type Int64, parseInt64 } from "exact-json/int64";
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect } from "preact/hooks";
import type { Pet } from "../../../pets/contract.ts";
import { CategoryCombobox } from "../categories/category-combobox.tsx";
import { categoryName } from "../categories/category-names.ts";
import { announce } from "../components/announce.tsx";
import { Dialog, useDialog } from "../components/dialog.tsx";
import { useKeepFocus } from "../components/keep-focus.ts";
import { shortName } from "../components/long-text.tsx";
import { formatNumber } from "../format.ts";
import type { Query, Versioned } from "../request.ts";
import { toPetstoreError } from "../request-error.ts";
import { animalCount } from "./animal-count.ts";
import { changeAll, patching, removing, result, run, selling, type Task } from "./bulk-change.tsx";
import { BulkProgress, BulkResult } from "./bulk-result.tsx";
import { SETTABLE, statusWord } from "./pet-status.tsx";
import { ReadingProgress, SelectMatching, selectMatching } from "./select-matching.tsx";
import { clearSelection, isSelecting, reading, selected } from "./selection.ts";

/** The maximum number of animals that the dialog for a bulk removal lists by name. Further animals are only counted. */
const NAMED_MAX = 5;
const STATUS = "Set status";
const CATEGORY = "Move to category";

type Row = Versioned<Pet>;

interface BulkBarProps {
  /** The animals in the list on screen. The selection may also contain animals from an earlier list. */
  readonly shown: readonly Row[];
  /** The filter of the list, if more animals match it than the list shows; otherwise undefined. */
  readonly more: Query | undefined;
  /** The number of animals that match the filter; undefined if it is not known. */
  readonly total: string | undefined;
  readonly onChanged: (rows: readonly Row[]) => void;
}

export function BulkBar({ shown, more, total, onChanged }: BulkBarProps) {
  const place = useKeepFocus<HTMLElement>("h1");
  useEffect(() => () => reading.peek()?.aborter.abort(), []);
  const rows = [...selected.value.values()];
  const isEmpty = rows.length === 0;
  if (isEmpty && !isSelecting.value && !reading.value && !run.value && !result.value) return null;
  function changeSelected(tasks: readonly Task[], words: string) {
    // The focus moves to the progress bar, which replaces the pressed button. Otherwise the focus would be lost.
    place.ref.current?.focus();
    void changeAll(tasks, words).then(onChanged);
  }
  return (
    <section {...place} class="bulk-bar" aria-label="Selected animals" tabIndex={-1}>
      <BulkResult shown={shown} onUndo={(tasks) => changeSelected(tasks, "restored")} />
      {reading.value ? (
        <ReadingProgress reading={reading.value} />
      ) : run.value ? (
        <BulkProgress run={run.value} />
      ) : isEmpty ? (
        isSelecting.value && <NoneSelected />
      ) : (
        <BulkActions rows={rows} shown={shown} changeSelected={changeSelected}>
          {more && (
            <SelectMatching
              filter={more}
              total={total}
              onPress={() => {
                place.ref.current?.focus();
                void selectMatching(more);
              }}
            />
          )}
        </BulkActions>
      )}
    </section>
  );
}

function NoneSelected() {
  return (
    <div class="bulk-actions">
      <strong>Select animals</strong>
      <button type="button" class="secondary" onClick={clearSelection}>
        Cancel
      </button>
    </div>
  );
}

interface BulkActionsProps extends Pick<BulkBarProps, "shown"> {
  readonly rows: readonly Row[];
  readonly changeSelected: (tasks: readonly Task[], words: string) => void;
  readonly children: ComponentChildren;
}

function BulkActions({ rows, shown, changeSelected, children }: BulkActionsProps) {
  const dialog = useDialog<true>();
  const choosing = useSignal("");
  const hidden = rows.length - shown.filter(({ id }) => selected.value.has(id)).length;
  function changeRows(task: (row: Row) => Task, words: string) {
    choosing.value = "";
    changeSelected(rows.map(task), words);
  }
  return (
    <>
      <div class="bulk-actions">
        <strong translate={false}>
          {formatNumber(rows.length)} selected
          {hidden > 0 && ` (${formatNumber(hidden)} not in this list)`}
        </strong>
        {children}
        <button type="button" class="secondary" onClick={() => changeRows(selling, "sold")}>
          Sell
        </button>
        <Chooser choosing={choosing} label={STATUS} />
        <Chooser choosing={choosing} label={CATEGORY} />
        <button type="button" class="secondary" onClick={() => void exportRows(rows)}>
          Export
        </button>
        <button type="button" class="secondary" onClick={() => dialog.open(true)}>
          Remove…
        </button>
        <button type="button" class="secondary" onClick={clearSelection}>
          Clear
        </button>
      </div>
      {choosing.value === STATUS && (
        <fieldset class="bulk-actions" aria-label={STATUS}>
          {[...SETTABLE, { value: null, label: statusWord(null) }].map(({ value, label }) => (
            <button
              key={label}
              type="button"
              class="secondary"
              onClick={() => changeRows((row) => patching(row, { status: value }), `set to ${label}`)}
            >
              {label}
            </button>
          ))}
        </fieldset>
      )}
      {choosing.value === CATEGORY && (
        <MoveToCategory
          onMove={(categoryId, name) =>
            changeRows((row) => patching(row, { categoryId }), `moved to ${name}`)
          }
        />
      )}
      {dialog.subject && (
        <BulkRemoveDialog
          rows={rows}
          onConfirm={() => changeRows(removing, "removed")}
          onClose={dialog.close}
        />
      )}
    </>
  );
}

function Chooser({ choosing, label }: { readonly choosing: Signal<string>; readonly label: string }) {
  const isOpen = choosing.value === label;
  const toggle = () => {
    choosing.value = isOpen ? "" : label;
  };
  return (
    <button type="button" class="secondary" aria-expanded={isOpen} onClick={toggle}>
      {label}
    </button>
  );
}

async function exportRows(rows: readonly Row[]) {
  try {
    const { savePets } = await import("../files/saved-kinds.ts");
    await savePets(rows);
  } catch (error) {
    announce(`Nothing was exported. ${toPetstoreError(error).message}`);
  }
}

interface BulkRemoveDialogProps {
  readonly rows: readonly Pet[];
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

function BulkRemoveDialog({ rows, onConfirm, onClose }: BulkRemoveDialogProps) {
  const title = `Remove ${animalCount(rows.length)}`;
  const others = rows.length - NAMED_MAX;
  return (
    <Dialog title={`${title}?`} onClose={onClose}>
      <ul>
        {rows.slice(0, NAMED_MAX).map(({ id, name }) => (
          <li key={String(id)} dir="auto" translate={false}>
            {shortName(name, "No name")} <span class="muted">{String(id)}</span>
          </li>
        ))}
      </ul>
      {others > 0 && <p>and {formatNumber(others)} more.</p>}
      <p>This can't be undone. Their numbers will never be used again.</p>
      <div class="actions">
        <button type="button" class="secondary" onClick={onClose}>
          Keep
        </button>
        <button
          type="button"
          class="danger"
          onClick={() => {
            onClose();
            onConfirm();
          }}
        >
          {title}
        </button>
      </div>
    </Dialog>
  );
}

function MoveToCategory({ onMove }: { readonly onMove: (id: Int64, name: string) => void }) {
  const category = useSignal("");
  useLayoutEffect(() => document.getElementById("bulk-category")?.focus(), []);
  const id = parseInt64(category.value);
  const name = id === undefined ? "" : categoryName(category.value);
  return (
    <form
      class="bulk-actions"
      aria-label={CATEGORY}
      onSubmit={(event) => {
        event.preventDefault();
        if (id !== undefined) onMove(id, name);
      }}
    >
      <CategoryCombobox
        id="bulk-category"
        label="Category to move to"
        isLabelHidden
        placeholder="Category"
        value={category.value}
        onSelect={(value) => {
          category.value = value;
        }}
      />
      <button type="submit" disabled={id === undefined} dir="auto" translate={false}>
        {id === undefined ? "Move" : `Move to ${name}`}
      </button>
    </form>
  );
}
