import { randomName } from "../../../../client/src/random.ts";
import { MEMBERS, type Target } from "../../../pet-files/columns.ts";
import { dialectInWords } from "../../../pet-files/dialect.ts";
import { CategoryCombobox } from "../categories/category-combobox.tsx";
import { type Choice, Labelled } from "../components/field.tsx";
import { shortName } from "../components/long-text.tsx";
import { formatNumber } from "../format.ts";
import { animalCount } from "../pets/animal-count.ts";
import { STATUS_CHOICES } from "../pets/pet-status.tsx";
import { change } from "./chosen-file.ts";
import { startImport } from "./import-run.ts";
import { type ChosenFile, dropImport, pasted, type Usual } from "./import-state.ts";
import { LABELS, type Layout, withTarget } from "./layout.ts";
import { Preview } from "./preview.tsx";
import { NO_CATEGORY } from "./read-pets.ts";

export function PrepareImport({ file }: { readonly file: ChosenFile }) {
  const { layout, lines, refused } = file;
  const { name } = file.file;
  const isPasted = pasted.value !== "";
  const counted = `${formatNumber(lines)} ${lines === 1 ? "line" : "lines"}, ${dialectInWords(file.dialect)}`;
  return (
    <div class="stack">
      <p dir="auto">{isPasted ? counted : `${name}: ${counted}`}</p>
      {layout && <ColumnChoice file={file} layout={layout} />}
      <Preview file={file} />
      <div class="actions">
        <button
          type="button"
          disabled={lines === refused.length}
          onClick={() => void startImport(file, isPasted ? randomName() : name)}
        >
          Import {animalCount(lines - refused.length)}
        </button>
        {!isPasted && (
          <button type="button" class="secondary" onClick={() => dropImport()}>
            Choose another file
          </button>
        )}
      </div>
    </div>
  );
}

const TARGETS: readonly Choice[] = [
  ...MEMBERS.map((member) => ({ value: member, label: LABELS[member] })),
  { value: "", label: "Ignore" },
];

function ColumnChoice({ file, layout }: { readonly file: ChosenFile; readonly layout: Layout }) {
  const { first, isHead, targets } = layout;
  return (
    <section class="card">
      <h2>Columns</h2>
      <div class="filter">
        {first.map((cell, index) => (
          <Select
            key={`${index}`}
            id={`column-${index}`}
            label={shortName(isHead ? cell : "", `Column ${index + 1}`)}
            hint={!isHead && shortName(cell, "")}
            value={targets[index] ?? ""}
            choices={TARGETS}
            onSelect={(target) => void change({ layout: withTarget(layout, index, target as Target) })}
          />
        ))}
      </div>
      <label class="reveal">
        <input
          type="checkbox"
          checked={isHead}
          onChange={({ currentTarget }) =>
            void change({ layout: { ...layout, isHead: currentTarget.checked } })
          }
        />
        The first line names the columns
      </label>
      <UsualValues file={file} layout={layout} />
    </section>
  );
}

const STATUSES: readonly Choice[] = [{ value: "", label: "No status" }, ...STATUS_CHOICES];

/** Fields for the category and the status of lines that have none; shown if the file needs them. */
function UsualValues({ file, layout }: { readonly file: ChosenFile; readonly layout: Layout }) {
  const { refused, usual } = file;
  const set = (values: Partial<Usual>) => void change({ usual: { ...usual, ...values } });
  const lacks = (member: keyof Usual) => usual[member] !== "" || !layout.targets.includes(member);
  return (
    <div class="filter">
      {(lacks("categoryId") || refused.some(({ refusal }) => refusal === NO_CATEGORY)) && (
        <CategoryCombobox
          id="usual-category"
          label="Category of lines without one"
          value={usual.categoryId}
          onSelect={(categoryId) => set({ categoryId })}
        />
      )}
      {lacks("status") && (
        <Select
          id="usual-status"
          label="Status of lines without one"
          value={usual.status}
          choices={STATUSES}
          onSelect={(status) => set({ status })}
        />
      )}
    </div>
  );
}

interface SelectProps {
  readonly id: string;
  readonly label: string;
  readonly hint?: string | false;
  readonly value: string;
  readonly choices: readonly Choice[];
  readonly onSelect: (value: string) => void;
}

function Select({ id, label, hint, value, choices, onSelect }: SelectProps) {
  return (
    <Labelled id={id} label={label} hint={hint}>
      {(describing) => (
        <select
          {...describing}
          id={id}
          value={value}
          onChange={({ currentTarget }) => onSelect(currentTarget.value)}
        >
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  );
}
