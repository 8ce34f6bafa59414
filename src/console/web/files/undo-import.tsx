import { useSignal } from "@preact/signals";
import type { UndoneImport } from "../../imports-contract.ts";
import { announcePolite } from "../components/announce.tsx";
import { ListTable } from "../components/list-table.tsx";
import { LongText, shortName } from "../components/long-text.tsx";
import { formatNumber } from "../format.ts";
import { animalCount } from "../pets/animal-count.ts";
import { call, PATIENT } from "../request.ts";
import { toPetstoreError } from "../request-error.ts";

const LEFT_SHOWN_MAX = 50;

interface UndoImportProps {
  readonly identity: string;
  /** Name of the imported file. */
  readonly file: string;
}

type Undone = Omit<UndoneImport, "next">;

/** A button that undoes an import, with what it has removed, set back and left. */
export function UndoImport({ identity, file }: UndoImportProps) {
  const undone = useSignal<Undone | undefined>(undefined);
  const status = useSignal<"ready" | "running" | "done">("ready");
  const problem = useSignal("");

  async function run() {
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

  return (
    <>
      {status.value !== "done" && (
        <button
          type="button"
          class="secondary"
          disabled={status.value === "running"}
          aria-label={`Undo import of ${file}`}
          onClick={() => void run()}
        >
          Undo import
        </button>
      )}
      {undone.value && <Summary undone={undone.value} />}
      {problem.value && (
        <p class="alert" role="alert">
          {problem.value}
        </p>
      )}
    </>
  );
}

function Summary({ undone }: { readonly undone: Undone }) {
  const { left } = undone;
  const columns = {
    Animal: ({ name }: Undone["left"][number]) => <LongText text={shortName(name, "No name")} />,
    "Why it was left": {
      isWrapped: true,
      cell: ({ reason }: Undone["left"][number]) => <span dir="auto">{reason}</span>,
    },
  };
  return (
    <div class="stack">
      <p>{summaryOf(undone)}</p>
      {left.length > 0 && (
        <ListTable label="Animals left" rows={left.slice(0, LEFT_SHOWN_MAX)} columns={columns} />
      )}
    </div>
  );
}

function summaryOf({ removed, restored, left }: Undone): string {
  const parts = [
    `${animalCount(removed)} removed`,
    restored > 0 && `${formatNumber(restored)} set back`,
    left.length > 0 && `${formatNumber(left.length)} left as they are`,
  ];
  return `Import undone: ${parts.filter(Boolean).join(", ")}.`;
}
