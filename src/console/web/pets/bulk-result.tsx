import { useKeepFocus } from "../components/keep-focus.ts";
import { formatNumber } from "../format.ts";
import { useSettling } from "../steady-press.ts";
import { animalCount } from "./animal-count.ts";
import { result, type run as running, type Task, undoing } from "./bulk-change.tsx";

type Run = NonNullable<typeof running.value>;

export function BulkProgress({ run: { finished, total, aborter } }: { readonly run: Run }) {
  return (
    <div class="bulk-actions">
      <label for="bulk-progress" translate={false}>
        {formatNumber(finished)} of {formatNumber(total)}
      </label>
      <progress id="bulk-progress" value={finished} max={total} />
      <button type="button" class="secondary" onClick={() => aborter.abort()}>
        Cancel
      </button>
    </div>
  );
}

/** Shows a bulk change's result, with Undo: `17 animals set to Sold. 3 animals not changed: the reason is beside each.` */
export function BulkResult({ onUndo }: { readonly onUndo: (tasks: readonly Task[]) => void }) {
  // The region stays mounted, because screen readers do not read out the text of a new one.
  return <div role="status">{result.value && <Outcome outcome={result.value} onUndo={onUndo} />}</div>;
}

interface OutcomeProps {
  readonly outcome: NonNullable<typeof result.value>;
  readonly onUndo: (tasks: readonly Task[]) => void;
}

function Outcome({ outcome, onUndo }: OutcomeProps) {
  const { words, changed, refused, left } = outcome;
  const tasks = undoing(outcome);
  const place = useKeepFocus<HTMLDivElement>();
  const isSettling = useSettling(`Undo ${words}`, true);
  return (
    <div class="bulk-actions" {...place}>
      <p translate={false}>
        {changed.length > 0 && `${animalCount(changed.length)} ${words}. `}
        {refused > 0 && `${animalCount(refused)} not changed: the reason is beside each. `}
        {left > 0 && `Cancelled before ${animalCount(left)}.`}
      </p>
      {tasks.length > 0 && (
        <button
          type="button"
          class="secondary"
          aria-disabled={isSettling || undefined}
          onClick={() => !isSettling && onUndo(tasks)}
        >
          Undo
        </button>
      )}
      <button
        type="button"
        class="secondary"
        onClick={() => {
          result.value = undefined;
        }}
      >
        Close
      </button>
    </div>
  );
}
