import type { VNode } from "preact";
import type { Versioned } from "../request.ts";
import { type NamedResource, type ResourceKind, useVersion } from "../use-version.ts";
import { ChangedMeanwhile } from "./changed-meanwhile.tsx";
import { DeleteDialog, type DeleteListeners } from "./delete-dialog.tsx";
import { closeDialog, Dialog } from "./dialog.tsx";
import type { Explain } from "./error-alert.tsx";
import { shortName } from "./long-text.tsx";

interface RemoveDialogProps<Resource extends NamedResource> extends DeleteListeners {
  readonly kind: ResourceKind<Resource>;
  readonly resource: Versioned<Resource>;
  /**
   * The reason why the resource cannot be removed, if it is already known: for example, that a category contains animals. The
   * dialog shows it instead of the question.
   */
  readonly blocked?: { readonly title: string; readonly text: VNode } | undefined;
}

/**
 * A dialog that removes a resource if the version that the person sees is still current. If somebody else has changed the
 * resource, the dialog shows the changes and asks again.
 */
export function RemoveDialog<Resource extends NamedResource>(props: RemoveDialogProps<Resource>) {
  const { kind, resource, blocked, ...listeners } = props;
  const version = useVersion(kind, resource);
  const conflict = version.conflict.value;
  const name = shortName(resource.name ?? "", `${kind.noun} ${resource.id}`);
  if (blocked !== undefined)
    return (
      <Dialog title={blocked.title} onClose={closeDialog}>
        {blocked.text}
        <div class="actions">
          <button type="button" class="secondary" onClick={closeDialog}>
            Close
          </button>
        </div>
      </Dialog>
    );
  return (
    <DeleteDialog
      title={`Remove ${name}?`}
      send={() => version.changeIfCurrent("DELETE")}
      outcome={`${name} removed`}
      confirmLabel={conflict?.now ? "Remove anyway" : "Remove"}
      cancelLabel="Cancel"
      explain={(error) =>
        error.code === "precondition_failed" && conflict ? (
          <>
            <ChangedMeanwhile kind={kind} conflict={conflict} />
            <p>You can still remove {name}.</p>
          </>
        ) : (
          explainObstacle(kind, resource)?.(error)
        )
      }
      {...listeners}
    >
      <p>
        {kind.afterRemoval ?? "This can't be undone."} The number {String(resource.id)} will not be used
        again.
      </p>
    </DeleteDialog>
  );
}

/** Explains that a removal was refused because of another resource, with a link to that resource. */
export function explainObstacle<Resource extends NamedResource>(
  { obstacle }: ResourceKind<Resource>,
  resource: Resource,
): Explain {
  return ({ code, message }) => {
    if (code !== obstacle?.code) return undefined;
    return (
      <>
        <p dir="auto">{message}</p>
        <p>{obstacle.link(resource)}</p>
      </>
    );
  };
}
