import type { Pet } from "../../../pets/contract.ts";
import { useKeepFocus } from "../components/keep-focus.ts";
import { formatNumber } from "../format.ts";
import { useSettling } from "../steady-press.ts";
import { animalCount } from "./animal-count.ts";
import { result, type run as running, type Task, undoing } from "./bulk-change.tsx";
import { saleName } from "./sales.ts";

/**
 * The maximum number of refused animals that are listed by name because they are not in the list on screen. Further animals are
 * only counted.
 */
const REFUSALS_SHOWN_MAX = 50;

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

interface BulkResultProps {
  /** The animals in the list on screen. Their rows already show why they were refused. */
  readonly shown: readonly Pick<Pet, "id">[];
  readonly onUndo: (tasks: readonly Task[]) => void;
}

/** Shows the result of a bulk change, with Undo: `17 animals set to Sold. 3 animals not changed; see the reasons in the list.` */
export function BulkResult({ shown, onUndo }: BulkResultProps) {
  const { refused = [] } = result.value ?? {};
  const ids = new Set(shown.map(({ id }) => id));
  const hidden = refused.filter(({ row }) => !ids.has(row.id));
  return (
    <>
      {/* The live region stays mounted, because screen readers do not read the text of a region that has just been added. */}
      <div role="status">{result.value && <Outcome outcome={result.value} onUndo={onUndo} />}</div>
      {hidden.length > 0 && <Refusals refused={hidden} />}
    </>
  );
}

interface OutcomeProps extends Pick<BulkResultProps, "onUndo"> {
  readonly outcome: NonNullable<typeof result.value>;
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
        {refused.length > 0 && `${animalCount(refused.length)} not changed; see the reasons in the list. `}
        {left > 0 && `Cancelled: ${animalCount(left)} not changed.`}
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

type Refused = NonNullable<typeof result.value>["refused"];

/** Lists the animals that were not changed and are not in the list on screen, each with the reason. */
function Refusals({ refused }: { readonly refused: Refused }) {
  const more = refused.length - REFUSALS_SHOWN_MAX;
  return (
    <details>
      <summary>{animalCount(refused.length)} not changed and not in this list</summary>
      <ul class="refusals">
        {refused.slice(0, REFUSALS_SHOWN_MAX).map(({ row, reason }) => (
          <li key={String(row.id)}>
            <a href={`/animals/${row.id}`} dir="auto" translate={false}>
              {saleName(row)}
            </a>{" "}
            {reason}
          </li>
        ))}
      </ul>
      {more > 0 && <p>And {formatNumber(more)} more.</p>}
    </details>
  );
}
