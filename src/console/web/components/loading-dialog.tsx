import type { ComponentChildren } from "preact";
import { useLoad } from "../use-load.ts";
import { Dialog } from "./dialog.tsx";
import { Loading } from "./loading.tsx";

interface LoadingDialogProps<Loaded> {
  readonly title: string;
  readonly load: (signal: AbortSignal) => Promise<Loaded>;
  readonly what: string;
  readonly onClose: () => void;
  readonly children: (loaded: Loaded) => ComponentChildren;
}

export function LoadingDialog<Loaded>(props: LoadingDialogProps<Loaded>) {
  const { title, load, what, onClose, children } = props;
  const loaded = useLoad(load);
  return (
    <Dialog title={title} onClose={onClose}>
      <Loading loaded={loaded} what={what}>
        {children}
      </Loading>
      <div class="actions">
        <button type="button" class="secondary" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
}
