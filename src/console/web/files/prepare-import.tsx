import { randomName } from "../../../../client/src/random.ts";
import { COLUMN_MEMBERS, type Target } from "../../../pet-files/columns.ts";
import { dialectInWords } from "../../../pet-files/dialect.ts";
import { CategoryCombobox } from "../categories/category-combobox.tsx";
import { type Choice, ChoiceField } from "../components/field.tsx";
import { shortName } from "../components/long-text.tsx";
import { formatNumber } from "../format.ts";
import { animalCount } from "../pets/animal-count.ts";
import { STATUS_CHOICES } from "../pets/pet-status.tsx";
import { changeChoices } from "./chosen-file.ts";
import { startImport } from "./import-run.ts";
import { type ChosenFile, dropImport, isOutdated, pasted, type Usual } from "./import-state.ts";
import { LABELS, type Layout } from "./layout.ts";
import { Preview } from "./preview.tsx";
import { NO_CATEGORY } from "./read-pets.ts";
import { Reading } from "./reading.tsx";
import { Updating } from "./updating.tsx";

export function PrepareImport({ file }: { readonly file: ChosenFile }) {
  const { layout, lines, refused, comparison } = file;
  const { changed = 0, new: added = lines - refused.length } = comparison?.counts ?? {};
  const { name } = file.file;
  const isPasted = pasted.value !== "";
  const counted = `${formatNumber(lines)} ${lines === 1 ? "line" : "lines"}, ${dialectInWords(file.dialect)}`;
  return (
    <div class="stack">
      <p dir="auto">{isPasted ? counted : `${name}: ${counted}`}</p>
      <Reading file={file} />
      {layout && <Columns file={file} layout={layout} />}
      {file.canUpdate && <Updating file={file} />}
      <Preview file={file} />
      <div class="actions">
        <button
          type="button"
          disabled={added + changed === 0 || !file.dialect.isSure || isOutdated.value}
          onClick={() => void startImport(file, isPasted ? randomName() : name)}
        >
          {changed === 0
            ? `Import ${animalCount(added)}`
            : `Change ${animalCount(changed)}${added > 0 ? `, add ${formatNumber(added)}` : ""}`}
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
  ...COLUMN_MEMBERS.map((member) => ({ value: member, label: LABELS[member] })),
  { value: "", label: "Ignore" },
];

const STATUSES: readonly Choice[] = [{ value: "", label: "No status" }, ...STATUS_CHOICES];

function Columns({ file, layout }: { readonly file: ChosenFile; readonly layout: Layout }) {
  const { first, isHead, targets } = layout;
  const { refused, usual } = file;
  const columns = {
    id: "column",
    values: Object.fromEntries(targets.entries()),
    problems: {},
    set(column: string, target: string) {
      const others = targets.map((known) => (known === target ? "" : known));
      void changeChoices({ layout: { ...layout, targets: others.with(Number(column), target as Target) } });
    },
  };
  const usualValues = {
    id: "usual",
    values: usual,
    problems: {},
    set: (member: keyof Usual, value: string) => void changeChoices({ usual: { ...usual, [member]: value } }),
  };
  const lacks = (member: keyof Usual) =>
    pasted.value !== "" || usual[member] !== "" || !targets.includes(member);
  return (
    <section class="card">
      <h2>Columns</h2>
      <div class="filter">
        {first.map((cell, index) => (
          <ChoiceField
            key={`${index}`}
            form={columns}
            name={`${index}`}
            label={shortName(isHead ? cell : "", `Column ${index + 1}`)}
            hint={!isHead && shortName(cell, "")}
            choices={TARGETS}
          />
        ))}
      </div>
      <label class="reveal">
        <input
          type="checkbox"
          checked={isHead}
          onChange={({ currentTarget }) =>
            void changeChoices({ layout: { ...layout, isHead: currentTarget.checked } })
          }
        />
        First row is a header
      </label>
      <div class="filter">
        {(lacks("categoryId") || refused.some(({ refusal }) => refusal === NO_CATEGORY)) && (
          <CategoryCombobox
            id="usual-categoryId"
            label="Default category"
            value={usual.categoryId}
            onSelect={(categoryId) => usualValues.set("categoryId", categoryId)}
          />
        )}
        {lacks("status") && (
          <ChoiceField form={usualValues} name="status" label="Default status" choices={STATUSES} />
        )}
      </div>
    </section>
  );
}
