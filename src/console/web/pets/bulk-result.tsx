import { result, type run as running, type Task, undoing } from "./bulk-change.tsx";

type Run = NonNullable<typeof running.value>;

export function BulkProgress({ run: { finished, total, aborter } }: { readonly run: Run }) {
  return (
    <div class="bulk-actions">
      <label for="bulk-progress">
        {finished.toLocaleString()} of {total.toLocaleString()}
      </label>
      <progress id="bulk-progress" value={finished} max={total} />
      <button type="button" class="secondary" onClick={() => aborter.abort()}>
        Cancel
      </button>
    </div>
  );
}

/** `17 animals set to Sold. 3 were not changed: the reason is beside each.` */
export function BulkResult({ onUndo }: { readonly onUndo: (tasks: readonly Task[]) => Promise<void> }) {
  // The region stays: text that arrives in a new one is not read out.
  return <div role="status">{result.value && <Told told={result.value} onUndo={onUndo} />}</div>;
}

interface ToldProps {
  readonly told: NonNullable<typeof result.value>;
  readonly onUndo: (tasks: readonly Task[]) => Promise<void>;
}

function Told({ told, onUndo }: ToldProps) {
  const { words, changed, refused, left } = told;
  const tasks = undoing(told);
  return (
    <div class="bulk-actions">
      <p>
        {changed.length > 0 && `${animals(changed.length)} ${words}. `}
        {refused > 0 && `${animals(refused)} not changed: the reason is beside each. `}
        {left > 0 && `Cancelled before ${animals(left)}.`}
      </p>
      {tasks.length > 0 && (
        <button type="button" class="secondary" onClick={() => void onUndo(tasks)}>
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

function animals(count: number): string {
  return count === 1 ? "1 animal" : `${count.toLocaleString()} animals`;
}
