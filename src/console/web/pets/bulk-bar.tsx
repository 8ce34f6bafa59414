import { type Signal, useSignal } from "@preact/signals";
import { type Int64, parseInt64 } from "exact-json/int64";
import { useRef } from "preact/hooks";
import type { Pet } from "../../../pets/contract.ts";
import { CategoryCombobox } from "../categories/category-combobox.tsx";
import { categoryName } from "../categories/category-names.ts";
import { Dialog, useDialog } from "../components/dialog.tsx";
import { shortName } from "../components/long-text.tsx";
import { formatNumber } from "../format.ts";
import type { Versioned } from "../request.ts";
import { animalCount } from "./animal-count.ts";
import { changeAll, type Patch, result, run, type Task } from "./bulk-change.tsx";
import { BulkProgress, BulkResult } from "./bulk-result.tsx";
import { STATUS_CHOICES, statusWord } from "./pet-status.tsx";
import { clearSelection, selected } from "./selection.ts";

/** Maximum number of animals that the dialog for a bulk removal names; it counts the others. */
const NAMED_MAX = 5;

type Row = Versioned<Pet>;

interface BulkBarProps {
  /** Animals of the shown list. Animals of an earlier list may be selected, too. */
  readonly shown: readonly Row[];
  readonly onChanged: (now: ReadonlyMap<Int64, Row>) => void;
}

export function BulkBar({ shown, onChanged }: BulkBarProps) {
  const bar = useRef<HTMLElement>(null);
  const rows = [...selected.value.values()];
  if (rows.length === 0 && run.value === undefined && result.value === undefined) return null;
  async function change(tasks: readonly Task[], words: string) {
    // The progress replaces the pressed button, which would lose the focus.
    bar.current?.focus();
    onChanged(await changeAll(tasks, words));
  }
  return (
    <section ref={bar} class="bulk-bar" aria-label="Selected animals" tabIndex={-1}>
      <BulkResult onUndo={(tasks) => change(tasks, "as before again")} />
      {run.value ? (
        <BulkProgress run={run.value} />
      ) : (
        rows.length > 0 && <BulkActions rows={rows} shown={shown} change={change} />
      )}
    </section>
  );
}

interface BulkActionsProps extends Pick<BulkBarProps, "shown"> {
  readonly rows: readonly Row[];
  readonly change: (tasks: readonly Task[], words: string) => Promise<void>;
}

function BulkActions({ rows, shown, change }: BulkActionsProps) {
  const removing = useDialog<true>();
  const choosing = useSignal<Choosing>(undefined);
  const hidden = rows.length - shown.filter(({ id }) => selected.value.has(id)).length;
  function patchAll(patch: Patch, words: string) {
    choosing.value = undefined;
    const tasks = rows.map((row) => ({ row, patch }));
    void change(tasks, words);
  }
  return (
    <>
      <div class="bulk-actions">
        <strong>
          {formatNumber(rows.length)} selected
          {hidden > 0 && ` (${formatNumber(hidden)} not in this list)`}
        </strong>
        <Chooser choosing={choosing} what="status">
          Set status
        </Chooser>
        <Chooser choosing={choosing} what="category">
          Move to category
        </Chooser>
        <button type="button" class="secondary" onClick={() => void exportRows(rows)}>
          Export
        </button>
        <button type="button" class="secondary" onClick={() => removing.open(true)}>
          Remove…
        </button>
        <button type="button" class="secondary" onClick={clearSelection}>
          Clear
        </button>
      </div>
      {choosing.value === "status" && (
        <fieldset class="bulk-actions" aria-label="Set status">
          {[...STATUS_CHOICES, { value: null, label: statusWord(null) }].map(({ value, label }) => (
            <button
              key={label}
              type="button"
              class="secondary"
              onClick={() => patchAll({ status: value }, `set to ${label}`)}
            >
              {label}
            </button>
          ))}
        </fieldset>
      )}
      {choosing.value === "category" && (
        <MoveToCategory onMove={(categoryId, name) => patchAll({ categoryId }, `moved to ${name}`)} />
      )}
      {removing.subject && (
        <BulkRemoveDialog
          rows={rows}
          onConfirm={() =>
            change(
              rows.map((row) => ({ row })),
              "removed",
            )
          }
          onClose={removing.close}
        />
      )}
    </>
  );
}

type Choosing = "status" | "category" | undefined;

interface ChooserProps {
  readonly choosing: Signal<Choosing>;
  readonly what: Choosing;
  readonly children: string;
}

function Chooser({ choosing, what, children }: ChooserProps) {
  const isOpen = choosing.value === what;
  return (
    <button
      type="button"
      class="secondary"
      aria-expanded={isOpen}
      onClick={() => {
        choosing.value = isOpen ? undefined : what;
      }}
    >
      {children}
    </button>
  );
}

async function exportRows(rows: readonly Row[]) {
  const { savePets } = await import("../files/save-csv.ts");
  savePets(rows);
}

interface BulkRemoveDialogProps {
  readonly rows: readonly Pet[];
  readonly onConfirm: () => Promise<void>;
  readonly onClose: () => void;
}

function BulkRemoveDialog({ rows, onConfirm, onClose }: BulkRemoveDialogProps) {
  const title = `Remove ${animalCount(rows.length)}`;
  const others = rows.length - NAMED_MAX;
  return (
    <Dialog title={`${title}?`} onClose={onClose}>
      <ul>
        {rows.slice(0, NAMED_MAX).map(({ id, name }) => (
          <li key={String(id)} dir="auto">
            {shortName(name, "No name")} <span class="muted">{String(id)}</span>
          </li>
        ))}
      </ul>
      {others > 0 && <p>and {formatNumber(others)} more.</p>}
      <p>They are removed for good. Their numbers are not used again.</p>
      <div class="actions">
        <button type="button" class="secondary" onClick={onClose}>
          Keep
        </button>
        <button
          type="button"
          class="danger"
          onClick={() => {
            onClose();
            void onConfirm();
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
  const id = parseInt64(category.value);
  const name = id === undefined ? "" : categoryName(category.value);
  return (
    <form
      class="bulk-actions"
      aria-label="Move to category"
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
      <button type="submit" disabled={id === undefined} dir="auto">
        {id === undefined ? "Move" : `Move to ${name}`}
      </button>
    </form>
  );
}
