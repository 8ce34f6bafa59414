import type { ComponentChildren } from "preact";
import type { PetstoreError } from "../../../../client/src/errors.ts";
import type { Versioned } from "../request.ts";
import {
  changedMembers,
  type NamedResource,
  type ResourceKind,
  useVersion,
  type Version,
} from "../use-version.ts";
import { DeleteDialog, type DeleteListeners } from "./delete-dialog.tsx";
import { LongText, shortName } from "./long-text.tsx";

interface RemoveDialogProps<Resource extends NamedResource> extends DeleteListeners {
  readonly kind: ResourceKind<Resource>;
  readonly resource: Versioned<Resource>;
}

/** Removes the version that the person sees; if the resource has changed, shows the changes and asks again. */
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

interface RefusalProps<Resource extends NamedResource> {
  readonly kind: ResourceKind<Resource>;
  readonly version: Version<Resource>;
  readonly error: PetstoreError;
  /** Content after the list of a conflict's changes: what the person can do now. */
  readonly children: ComponentChildren;
}

/** The reason why a resource was not changed: its current state, or an obstacle. */
export function Refusal<Resource extends NamedResource>(props: RefusalProps<Resource>) {
  const { kind, version, error, children } = props;
  const { conflict } = version;
  const changes = conflict?.now ? changedMembers(kind, conflict.before, conflict.now) : [];
  if (error.code === "precondition_failed" && conflict?.now) {
    return (
      <>
        <p>This {kind.noun} has changed since you opened it. Now it has:</p>
        <ul class="changes">
          {changes.map(({ label, after }) => (
            <li key={label}>
              {label}: <LongText text={after} />
            </li>
          ))}
        </ul>
        {children}
      </>
    );
  }
  return (
    <>
      <p dir="auto">{error.message}</p>
      {error.code === kind.obstacle?.code && <p>{kind.obstacle.link(version.seen)}</p>}
    </>
  );
}
