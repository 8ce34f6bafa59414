import { useSignal } from "@preact/signals";
import type { UndoneImport, UndoPreview } from "../../imports-contract.ts";
import { announcePolite } from "../components/announce.tsx";
import { Dialog, useDialog } from "../components/dialog.tsx";
import { ListTable } from "../components/list-table.tsx";
import { Loading } from "../components/loading.tsx";
import { LongText, shortName } from "../components/long-text.tsx";
import { formatNumber } from "../format.ts";
import { animalCount } from "../pets/animal-count.ts";
import { call, PATIENT } from "../request.ts";
import { toPetstoreError } from "../request-error.ts";
import { useLoad } from "../use-load.ts";

const LEFT_SHOWN_MAX = 50;

interface UndoImportProps {
  readonly identity: string;
  readonly file: string;
  /** True if the confirmation dialog is open from the beginning. */
  readonly isAsked?: boolean;
}

type Undone = Omit<UndoneImport, "next">;
type Preview = Omit<UndoPreview, "next">;

/** A button that undoes an import after a confirmation. It then shows how many animals were removed, restored or left unchanged. */
export function UndoImport({ identity, file, isAsked = false }: UndoImportProps) {
  const undone = useSignal<Undone | undefined>(undefined);
  const status = useSignal<"ready" | "running" | "done">("ready");
  const problem = useSignal("");
  const dialog = useDialog<true>(isAsked || undefined);
  const total = useSignal(0);

  async function run(preview: Preview) {
    dialog.close();
    total.value = preview.removed + preview.restored + preview.left;
    status.value = "running";
    problem.value = "";
    let sum: Undone = undone.peek() ?? { removed: 0, restored: 0, left: [] };
    try {
      for (let next: UndoneImport["next"] | undefined; next !== null; ) {
        const body = next === undefined ? { identity } : { identity, below: next };
        const part: UndoneImport = await call("POST", "/imports/undo", { ...PATIENT, body });
        ({ next } = part);
        sum = {
          removed: sum.removed + part.removed,
          restored: sum.restored + part.restored,
          left: [...sum.left, ...part.left],
        };
        undone.value = sum;
      }
      status.value = "done";
      announcePolite(summaryOf(sum));
    } catch (error) {
      problem.value = toPetstoreError(error).message;
      status.value = "ready";
    }
  }

  const { removed, restored, left } = undone.value ?? { removed: 0, restored: 0, left: [] };
  return (
    <>
      {status.value === "ready" && (
        <button
          type="button"
          class="secondary"
          aria-label={`Undo import of ${file}`}
          onClick={() => dialog.open(true)}
        >
          Undo import…
        </button>
      )}
      {status.value === "running" && (
        <progress
          max={total.value}
          value={removed + restored + left.length}
          aria-label={`Undoing the import of ${file}`}
        />
      )}
      {undone.value && status.value !== "running" && <Summary undone={undone.value} />}
      {problem.value && (
        <p class="alert" role="alert">
          {problem.value}
        </p>
      )}
      {dialog.subject && (
        <UndoDialog
          identity={identity}
          file={file}
          onConfirm={(preview) => void run(preview)}
          onClose={dialog.close}
        />
      )}
    </>
  );
}

interface UndoDialogProps extends UndoImportProps {
  readonly onConfirm: (preview: Preview) => void;
  readonly onClose: () => void;
}

function UndoDialog({ identity, file, onConfirm, onClose }: UndoDialogProps) {
  const loaded = useLoad((signal) => previewOf(identity, signal), [identity]);
  const preview = loaded.value;
  return (
    <Dialog title={`Undo the import of ${file}?`} onClose={onClose}>
      <Loading loaded={loaded} what="the import's animals">
        {(found) => (
          <>
            {questionOf(found).map((sentence) => (
              <p key={sentence}>{sentence}</p>
            ))}
          </>
        )}
      </Loading>
      <div class="actions">
        <button type="button" class="secondary" onClick={onClose}>
          Cancel
        </button>
        {preview && preview.removed + preview.restored > 0 && (
          <button type="button" class="danger" onClick={() => onConfirm(preview)}>
            Undo import
          </button>
        )}
      </div>
    </Dialog>
  );
}

/** Counts what an undo would do. The server counts one part of the import for each request. */
async function previewOf(identity: string, signal: AbortSignal): Promise<Preview> {
  const sum = { removed: 0, restored: 0, left: 0 };
  for (let next: UndoPreview["next"] | undefined; next !== null; ) {
    const query = next === undefined ? {} : { below: String(next) };
    const part: UndoPreview = await call("GET", `/imports/${identity}`, { ...PATIENT, query, signal });
    ({ next } = part);
    sum.removed += part.removed;
    sum.restored += part.restored;
    sum.left += part.left;
  }
  return sum;
}

function questionOf({ removed, restored, left }: Preview): readonly string[] {
  if (removed + restored === 0)
    return ["Nothing can be undone: the animals were changed, ordered or removed after the import."];
  const sentences = [
    removed > 0 && `${animalCount(removed)} will be removed. Their numbers will never be used again.`,
    restored > 0 && `${animalCount(restored)} will get back the values they had before the import.`,
    left > 0 &&
      `${animalCount(left)} will stay unchanged, because somebody has changed, ordered or removed ${left === 1 ? "it" : "them"} since the import.`,
  ];
  return sentences.filter((sentence) => sentence !== false);
}

function Summary({ undone }: { readonly undone: Undone }) {
  const { left } = undone;
  const columns = {
    Animal: ({ name }: Undone["left"][number]) => <LongText text={shortName(name, "No name")} />,
    Reason: {
      isWrapped: true,
      cell: ({ reason }: Undone["left"][number]) => <span dir="auto">{reason}</span>,
    },
  };
  return (
    <div class="stack">
      <p>{summaryOf(undone)}</p>
      {left.length > 0 && (
        <ListTable label="Animals left unchanged" rows={left.slice(0, LEFT_SHOWN_MAX)} columns={columns} />
      )}
    </div>
  );
}

function summaryOf({ removed, restored, left }: Undone): string {
  const parts = [
    `${animalCount(removed)} removed`,
    restored > 0 && `${formatNumber(restored)} restored`,
    left.length > 0 && `${formatNumber(left.length)} left unchanged`,
  ];
  return `Import undone: ${parts.filter(Boolean).join(", ")}.`;
}
