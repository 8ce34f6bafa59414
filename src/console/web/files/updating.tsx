import type { Int64 } from "exact-json/int64";
import { isStandIn } from "../../../pet-files/categories.ts";
import { countsInWords } from "../../../pet-files/compared-counts.ts";
import type { PlannedLine } from "../../../pet-files/planned-lines.ts";
import type { PetPatch } from "../../../pets/contract.ts";
import { categoryName } from "../categories/category-names.ts";
import { useCategoryNames } from "../categories/known-categories.ts";
import { type Choice, ChoiceField } from "../components/field.tsx";
import { ListTable } from "../components/list-table.tsx";
import { LongText, shortName } from "../components/long-text.tsx";
import { formatNumber } from "../format.ts";
import { animalCount } from "../pets/animal-count.ts";
import { statusWord } from "../pets/pet-status.tsx";
import { changeChoices, SHOWN_MAX } from "./chosen-file.ts";
import type { ChosenFile } from "./import-state.ts";
import { LABELS } from "./layout.ts";

const MODES: readonly Choice[] = [
  { value: "update", label: "Update the animals" },
  { value: "copies", label: "Add every line as a new animal" },
];

/**
 * Lets the person choose: either update the animals that are already in the store, or add every line as a new animal. Shows the
 * changes that an update would make.
 */
export function Updating({ file }: { readonly file: ChosenFile }) {
  const { mode, overwrites, comparison } = file;
  const form = {
    id: "updating",
    values: { mode },
    problems: {},
    set: (_: "mode", value: string) =>
      void changeChoices({ mode: value as ChosenFile["mode"], overwrites: false }),
  };
  const different = comparison?.counts.different ?? 0;
  return (
    <section class="card">
      <h2>Animals that the store already has</h2>
      <div class="filter">
        <ChoiceField form={form} name="mode" label="What to do" choices={MODES} />
      </div>
      {comparison && <p aria-live="polite">{countsInWords(comparison.counts, formatNumber)}</p>}
      {(different > 0 || overwrites) && (
        <label class="reveal">
          <input
            type="checkbox"
            checked={overwrites}
            onChange={({ currentTarget }) => void changeChoices({ overwrites: currentTarget.checked })}
          />
          {different > 0 ? `Also update ${animalCount(different)}` : "Also update animals"} whose name and
          category both differ from the file. The file may come from another store.
        </label>
      )}
      {comparison && comparison.counts.changed > 0 && <PlannedChanges file={file} lines={comparison.lines} />}
    </section>
  );
}

interface PlannedChangesProps {
  readonly file: ChosenFile;
  readonly lines: readonly PlannedLine[];
}

function PlannedChanges({ file, lines }: PlannedChangesProps) {
  useCategoryNames();
  const changed = lines.filter((line) => "change" in line);
  const more = changed.length - SHOWN_MAX;
  const rows = changed.slice(0, SHOWN_MAX).map(({ line, change }) => ({ id: line, ...change }));
  const columns = {
    Animal: ({ before }: (typeof rows)[number]) => <LongText text={shortName(before.name, "No name")} />,
    Change: {
      isWrapped: true,
      cell: ({ before, patch }: (typeof rows)[number]) =>
        (Object.keys(patch) as (keyof PetPatch)[]).map((member, index) => (
          <span key={member} dir="auto">
            {index > 0 && ", "}
            {LABELS[member]}: <del>{shownValue(file, member, before[member])}</del> →{" "}
            <ins>{shownValue(file, member, patch[member])}</ins>
          </span>
        )),
    },
    Line: { cell: ({ id }: (typeof rows)[number]) => id, isShort: true, isLabelled: true },
  };
  return (
    <>
      <ListTable label="Changes" rows={rows} columns={columns} />
      {more > 0 && <p>And {formatNumber(more)} more.</p>}
    </>
  );
}

function shownValue({ newCategories }: ChosenFile, member: keyof PetPatch, value: unknown): string {
  if (member === "status") return statusWord(value as PetPatch["status"]);
  if (value === undefined || value === null || value === "") return "none";
  if (member !== "categoryId") return shortName(String(value), "none");
  const categoryId = value as Int64;
  const created = isStandIn(categoryId) ? newCategories.get(categoryId) : undefined;
  return created === undefined ? categoryName(String(value)) : `${shortName(created, "")} (new)`;
}
