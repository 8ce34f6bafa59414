import type { Pet } from "../../../pets/contract.ts";
import { Dialog } from "../components/dialog.tsx";
import { shortName } from "../components/long-text.tsx";
import { animalCount } from "./animal-count.ts";

/** Names in the dialog; the others are counted. */
const NAMED_MAX = 5;

interface BulkRemoveDialogProps {
  readonly rows: readonly Pet[];
  readonly onConfirm: () => Promise<void>;
  readonly onClose: () => void;
}

export function BulkRemoveDialog({ rows, onConfirm, onClose }: BulkRemoveDialogProps) {
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
      {others > 0 && <p>and {others.toLocaleString()} more.</p>}
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
