import type { ComponentChildren } from "preact";
import { call } from "../request.ts";
import { useLoad } from "../use-load.ts";
import { Dialog } from "./dialog.tsx";
import { Loading } from "./loading.tsx";

interface LoadingDialogProps<Row> {
  readonly title: string;
  /** Of a list without pages. */
  readonly path: string;
  /** `the attempts` */
  readonly what: string;
  /** Shown for a list without rows. */
  readonly empty: string;
  readonly onClose: () => void;
  readonly children: (rows: readonly Row[]) => ComponentChildren;
}

export function LoadingDialog<Row>(props: LoadingDialogProps<Row>) {
  const { title, path, what, empty, onClose, children } = props;
  const loaded = useLoad((signal) => call<readonly Row[]>("GET", path, { signal }));
  return (
    <Dialog title={title} onClose={onClose}>
      <Loading loaded={loaded} what={what}>
        {(rows) => (rows.length === 0 ? <p>{empty}</p> : children(rows))}
      </Loading>
      <div class="actions">
        <button type="button" class="secondary" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
}
