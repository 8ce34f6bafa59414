import { useSignal } from "@preact/signals";
import { MEMBERS, type Target } from "../../../pet-files/columns.ts";
import { dialectInWords } from "../../../pet-files/dialect.ts";
import type { ParsedPet } from "../../../pet-files/parse-pets.ts";
import { ListTable } from "../components/list-table.tsx";
import { formatNumber } from "../format.ts";
import { animalCount } from "../pets/animal-count.ts";
import { StatusBadge } from "../pets/pet-status.tsx";
import { changeLayout } from "./chosen-file.ts";
import { startImport } from "./import-run.ts";
import { type ChosenFile, dropImport, unfinishedImport } from "./import-state.ts";
import { LABELS, type Layout, missingFrom, withTarget } from "./layout.ts";
import { RefusedLines } from "./refused-lines.tsx";

export function PrepareImport({ file }: { readonly file: ChosenFile }) {
  const { dialect, layout, first, lines, refused } = file;
  const { name } = file.file;
  const last = unfinishedImport();
  const batch = useSignal((last?.["file"] === name && last["batch"]) || name);
  const missing = layout === undefined ? [] : missingFrom(layout);
  const count = lines - refused.length;
  return (
    <div class="stack">
      <p dir="auto">
        {name}
        {missing.length === 0 && `: ${formatNumber(lines)} ${lines === 1 ? "line" : "lines"}`},{" "}
        {dialectInWords(dialect)}
      </p>
      {layout && <ColumnChoice layout={layout} onChange={(changed) => void changeLayout(changed)} />}
      {missing.length > 0 ? (
        <p class="problem" role="alert">
          {layout?.first.length === 1
            ? "Only one column was found. Save the file as CSV with commas, semicolons or tabs between the columns, then choose it again."
            : `Choose the column that is the ${missing.join(" and the one that is the ")}.`}
        </p>
      ) : (
        <Preview lines={first} />
      )}
      <RefusedLines file={file} refused={refused} />
      <div class="field">
        <label for="import-batch">Name of this import</label>
        <input
          id="import-batch"
          type="text"
          value={batch.value}
          aria-describedby="import-batch-hint"
          onInput={({ currentTarget }) => {
            batch.value = currentTarget.value;
          }}
        />
        <p class="hint" id="import-batch-hint">
          For 24 hours, the same line under the same name is added once. To add it again, change the name.
        </p>
      </div>
      <div class="actions">
        <button type="button" disabled={count === 0} onClick={() => void startImport(file, batch.value)}>
          Import {animalCount(count)}
        </button>
        <button type="button" class="secondary" onClick={dropImport}>
          Choose another file
        </button>
      </div>
    </div>
  );
}

function Preview({ lines }: { readonly lines: readonly ParsedPet[] }) {
  const rows = lines.map((line) => ({ id: line.line, ...line }));
  return (
    <ListTable
      label="The first lines"
      rows={rows}
      columns={{
        Line: ({ line }) => line,
        Name: (line) => <span dir="auto">{"pet" in line ? String(line.pet.name) : line.refusal}</span>,
        Category: (line) => "pet" in line && String(line.pet.categoryId ?? ""),
        Status: (line) => "pet" in line && <StatusBadge status={line.pet.status} />,
      }}
    />
  );
}

interface ColumnChoiceProps {
  readonly layout: Layout;
  readonly onChange: (layout: Layout) => void;
}

const CHOICES: readonly (readonly [Target, string])[] = [
  ...MEMBERS.map((member) => [member, LABELS[member]] as const),
  ["", "Ignore"],
];

function ColumnChoice({ layout, onChange }: ColumnChoiceProps) {
  const { first, second, isHead, targets } = layout;
  const samples = isHead ? second : first;
  return (
    <section class="card">
      <h2>Columns</h2>
      <div class="filter">
        {first.map((heading, index) => (
          <div class="field" key={`${index}`}>
            <label for={`column-${index}`} class="clamped" dir="auto">
              {isHead && heading.trim() ? heading : `Column ${index + 1}`}
            </label>
            <select
              id={`column-${index}`}
              value={targets[index]}
              onChange={({ currentTarget: { value } }) => {
                const [target] = CHOICES.find(([known]) => known === value) ?? [""];
                onChange(withTarget(layout, index, target));
              }}
            >
              {CHOICES.map(([target, label]) => (
                <option key={target} value={target}>
                  {label}
                </option>
              ))}
            </select>
            <p class="hint clamped" dir="auto">
              {samples[index]}
            </p>
          </div>
        ))}
      </div>
      <label class="reveal">
        <input
          type="checkbox"
          checked={isHead}
          onChange={({ currentTarget }) => onChange({ ...layout, isHead: currentTarget.checked })}
        />
        The first line names the columns
      </label>
    </section>
  );
}
