import { MEMBERS, type Target } from "../../../pet-files/columns.ts";
import { LABELS, type Layout, withTarget } from "./columns.ts";

interface ColumnChoiceProps {
  readonly layout: Layout;
  readonly onChange: (layout: Layout) => void;
}

const CHOICES: readonly (readonly [Target, string])[] = [
  ...MEMBERS.map((member) => [member, LABELS[member]] as const),
  ["", "Ignore"],
];

/** What each column of a CSV file has. */
export function ColumnChoice({ layout, onChange }: ColumnChoiceProps) {
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
