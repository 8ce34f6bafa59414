import type { Versioned } from "../request.ts";
import { type NamedResource, type ResourceKind, useVersion } from "../use-version.ts";
import { DeleteDialog, type DeleteListeners } from "./delete-dialog.tsx";
import { shortName } from "./long-text.tsx";
import { Refusal } from "./refusal.tsx";

interface RemoveDialogProps<Resource extends NamedResource> extends DeleteListeners {
  readonly kind: ResourceKind<Resource>;
  readonly resource: Versioned<Resource>;
}

/** Removes a resource that is still what the person sees, and asks once more where it is not. */
export function RemoveDialog<Resource extends NamedResource>(props: RemoveDialogProps<Resource>) {
  const { kind, resource, ...listeners } = props;
  const version = useVersion(kind, resource);
  const name = shortName(resource.name ?? "", `${kind.noun} ${resource.id}`);
  return (
    <DeleteDialog
      title={`Remove ${name}?`}
      send={() => version.change("DELETE")}
      outcome={`${name} removed`}
      confirmLabel={version.conflict?.now ? "Remove anyway" : "Remove"}
      cancelLabel="Keep"
      explain={(error) => (
        <Refusal kind={kind} version={version} error={error}>
          <p>Remove it anyway, or keep it.</p>
        </Refusal>
      )}
      {...listeners}
    >
      <p>
        The {kind.noun} is removed for good. Its number {String(resource.id)} is not used again.
      </p>
    </DeleteDialog>
  );
}
