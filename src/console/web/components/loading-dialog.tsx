import type { ComponentChildren } from "preact";
import { useLoad } from "../use-load.ts";
import { closeDialog, Dialog } from "./dialog.tsx";
import { Loading } from "./loading.tsx";

interface LoadingDialogProps<Loaded> {
  readonly title: string;
  readonly load: (signal: AbortSignal) => Promise<Loaded>;
  readonly what: string;
  readonly actions?: ComponentChildren;
  readonly children: (loaded: Loaded) => ComponentChildren;
}

export function LoadingDialog<Loaded>(props: LoadingDialogProps<Loaded>) {
  const { title, load, what, actions, children } = props;
  const loaded = useLoad(load);
  return (
    <Dialog title={title} onClose={closeDialog}>
      <Loading loaded={loaded} what={what}>
        {children}
      </Loading>
      <div class="actions">
        {actions}
        <button type="button" class="secondary" onClick={closeDialog}>
          Close
        </button>
      </div>
    </Dialog>
  );
}
