import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { type CategoryNumbers, categoriesCalled, numbersByName } from "../../../pet-files/categories.ts";
import { statusOf } from "../../../pet-files/cells.ts";
import type { Pet } from "../../../pets/contract.ts";
import { createCategory } from "../categories/category-combobox.tsx";
import { type CategoryNames, categoryName } from "../categories/category-names.ts";
import { useCategoryNames } from "../categories/known-categories.ts";
import { ActionButton } from "../components/action-button.tsx";
import { announce } from "../components/announce.tsx";
import type { FormState, Values } from "../components/form-state.ts";
import { ListTable } from "../components/list-table.tsx";
import { LongText, shortName } from "../components/long-text.tsx";
import type { Versioned } from "../request.ts";
import { type Outcome, useAddLines } from "./add-lines.ts";
import { animalCount } from "./animal-count.ts";
import type { PastedLines } from "./pasted-lines.ts";
import { CategoryField, type PetField, StatusField } from "./pet-fields.tsx";
import { STATUS_CHOICES } from "./pet-status.tsx";

const LINES_MAX = 500;

const NO_NAMES: CategoryNames = new Map();

interface PastePetsProps {
  readonly lines: PastedLines;
  /** The form whose category and status apply to lines without their own. */
  readonly form: FormState<PetField>;
  readonly onAdded: (pet: Versioned<Pet>) => void;
  readonly onClose: () => void;
}

export function PastePets({ lines, form, onAdded, onClose }: PastePetsProps) {
  const names: CategoryNames = useCategoryNames() ?? NO_NAMES;
  const numbers = useMemo(() => numbersByName([...names].map(([id, name]) => ({ id, name }))), [names]);
  const { outcomes, isBusy, failure, run, stop, drop } = useAddLines(lines, onAdded);
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => heading.current?.focus(), []);
  const rows = Object.entries(lines).map(([id, line]): Row => {
    const outcome = outcomes.get(id);
    const read = readPastedLine(id, line, form.values, numbers);
    if (outcome === undefined || "problem" in outcome) return { ...read, outcome };
    const { name, categoryId, status = "" } = outcome.pet;
    return { ...read, values: { name, categoryId: String(categoryId), status }, outcome };
  });
  const left = rows.filter(({ outcome }) => outcome === undefined || "problem" in outcome);
  const ready = left.filter(({ problems }) => problems.length === 0);
  const wrong = left.length - ready.length;
  function close() {
    drop();
    onClose();
  }
  async function add() {
    const added = await run(ready);
    announce(`${animalCount(added)} added${added < ready.length ? `, ${ready.length - added} not` : ""}`);
    if (added === left.length) close();
    else heading.current?.focus();
  }
  return (
    <section class="card" aria-labelledby="pasted-heading">
      <h2 ref={heading} id="pasted-heading" tabIndex={-1}>
        {rows.length} pasted {rows.length === 1 ? "line" : "lines"}
      </h2>
      {rows.length > LINES_MAX ? (
        <p class="problem">
          {LINES_MAX} lines can be pasted at once. Paste fewer, or import them as a CSV file.
        </p>
      ) : (
        <>
          <CategoryField form={form} />
          <StatusField form={form} />
          <PastedTable rows={rows} />
          {wrong > 0 && (
            <p class="problem">{wrong === 1 ? "1 line is wrong." : `${wrong} lines are wrong.`}</p>
          )}
          {failure && (
            <p class="alert" role="alert" dir="auto">
              {failure}
            </p>
          )}
        </>
      )}
      <div class="actions">
        {ready.length > 0 && rows.length <= LINES_MAX && (
          <button type="button" disabled={isBusy} aria-busy={isBusy} onClick={() => void add()}>
            {isBusy ? `Adding, ${ready.length} to go…` : `Add ${animalCount(ready.length)}`}
          </button>
        )}
        <button type="button" class="secondary" onClick={isBusy ? stop : close}>
          {isBusy ? "Stop" : "Close"}
        </button>
      </div>
    </section>
  );
}

interface Row extends ReturnType<typeof readPastedLine> {
  readonly outcome: Outcome | undefined;
}

function PastedTable({ rows }: { readonly rows: readonly Row[] }) {
  const columns = {
    Name: ({ values: { name } }: Row) =>
      name.trim() === "" ? <em class="muted">No name</em> : <LongText text={name} />,
    Category: ({ values }: Row) =>
      values.categoryId && <span dir="auto">{categoryName(values.categoryId)}</span>,
    Status: ({ values }: Row) =>
      STATUS_CHOICES.find(({ value }) => value === values.status)?.label ?? "No status",
    Result: (row: Row) => <Result {...row} />,
  };
  return <ListTable label="Pasted lines" rows={rows} columns={columns} />;
}

function Result({ problems, unknownCategory, outcome }: Row) {
  if (outcome !== undefined && "pet" in outcome) return <a href={`/animals/${outcome.pet.id}`}>Added</a>;
  const found = outcome === undefined ? problems : [...problems, outcome.problem];
  if (found.length === 0) return "Ready";
  return (
    <>
      <p class="problem" dir="auto">
        {found.join(" ")}
      </p>
      {unknownCategory !== undefined && (
        <ActionButton
          class="link"
          failure="The category was not created."
          action={async () => void (await createCategory(unknownCategory))}
        >
          {`Create category “${shortName(unknownCategory, "")}”`}
        </ActionButton>
      )}
    </>
  );
}

interface PastedPet {
  readonly id: string;
  readonly values: Values<PetField>;
  readonly problems: readonly string[];
  readonly unknownCategory: string | undefined;
}

/**
 * Parses a line: a name, or cells of a spreadsheet, `name<TAB>category<TAB>status`.
 *
 * @param usual values for missing cells
 */
function readPastedLine(
  id: string,
  line: string,
  usual: Values<PetField>,
  numbers: CategoryNumbers,
): PastedPet {
  const [name = "", category = "", status = "", ...more] = line.split("\t");
  const found = category.trim() === "" ? [usual.categoryId] : categoriesCalled(category, numbers).map(String);
  const wanted = status.trim() === "" ? usual.status : statusOf(status);
  const problems = [
    name.trim() === "" && "Name is missing.",
    category.trim() === "" && usual.categoryId === "" && "Category is missing.",
    found.length === 0 && `No category is called “${category.trim()}”.`,
    found.length > 1 && `${found.length} categories are called “${category.trim()}”: write its number.`,
    wanted === undefined && `“${status.trim()}” is no status: write Available, Pending or Sold.`,
    more.some((cell) => cell.trim() !== "") && "There are more than three columns: name, category, status.",
  ];
  return {
    id,
    values: { name, categoryId: found[0] ?? "", status: wanted ?? "" },
    problems: problems.filter((problem) => problem !== false),
    unknownCategory: found.length === 0 ? category.trim() : undefined,
  };
}
