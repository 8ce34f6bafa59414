import type { ComponentChildren } from "preact";
import type { Conflict } from "../use-version.ts";
import { LongText } from "./long-text.tsx";

interface ChangedMeanwhileProps<Resource> {
  /** `animal` */
  readonly what: string;
  readonly conflict: Conflict<Resource> | undefined;
  /** What people read of a resource, by label. */
  readonly describe: (resource: Resource) => Readonly<Record<string, string>>;
  /** What the person can do about it. */
  readonly children: ComponentChildren;
}

/** In place of the message of a 412: the members that somebody else changed, as they are now. */
export function ChangedMeanwhile<Resource>(props: ChangedMeanwhileProps<Resource>) {
  const { what, conflict, describe, children } = props;
  const before = conflict && describe(conflict.before);
  const changes = Object.entries(conflict ? describe(conflict.now) : {});
  return (
    <>
      <p>This {what} has changed since you opened it. Now it has:</p>
      <ul class="changes">
        {changes
          .filter(([label, text]) => before?.[label] !== text)
          .map(([label, text]) => (
            <li key={label}>
              {label}: <LongText text={text} />
            </li>
          ))}
      </ul>
      {children}
    </>
  );
}
