import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { session } from "../account/session.ts";
import { place } from "../router.ts";
import { announcePolite } from "./announce.tsx";

interface ScreenProps {
  readonly title: string;
  /** What can be done from here, beside the heading. */
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** One screen: its document title, and a heading that the focus moves to when people arrive. */
export function Screen({ title, actions, children }: ScreenProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { arrival } = place.value;
  const isStaging = session.value?.environment === "staging";

  useLayoutEffect(() => {
    document.title = `${isStaging ? "Staging · " : ""}${title} · petstore`;
  }, [title, isStaging]);

  useLayoutEffect(() => {
    // The first page of a visit is read from its top, as any page is.
    if (arrival === 0) return;
    heading.current?.focus();
    announcePolite(title);
  }, [arrival]);

  return (
    <>
      <header class="screen-header">
        <h1 ref={heading} tabIndex={-1} dir="auto" class="clamped">
          {title}
        </h1>
        {actions && <div class="screen-actions">{actions}</div>}
      </header>
      {children}
    </>
  );
}
