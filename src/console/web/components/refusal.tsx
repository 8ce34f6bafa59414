import type { ComponentChildren } from "preact";
import type { PetstoreError } from "../../../../client/src/errors.ts";
import { changedMembers, type NamedResource, type ResourceKind, type Version } from "../use-version.ts";
import { LongText } from "./long-text.tsx";

interface RefusalProps<Resource extends NamedResource> {
  readonly kind: ResourceKind<Resource>;
  readonly version: Version<Resource>;
  readonly error: PetstoreError;
  /** What the person can do where the resource has changed. */
  readonly children: ComponentChildren;
}

/** Why a resource was not changed: what it is now, or what stands in the way. */
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
