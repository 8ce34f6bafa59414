import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { session } from "../account/session.ts";
import { route } from "../router.ts";
import { announcePolite } from "./announce.tsx";

interface ScreenProps {
  readonly title: string;
  readonly within?: string;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A page of the console: sets the document's title, and moves the focus to the heading after a navigation. */
export function Screen({ title, within, actions, children }: ScreenProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { navigations, isReturn } = route.value;
  const isStaging = session.value?.environment === "staging";

  useLayoutEffect(() => {
    const parts = [isStaging && "Staging", title, within, "petstore"];
    document.title = parts.filter(Boolean).join(" · ");
  }, [title, within, isStaging]);

  useLayoutEffect(() => {
    // After a page load, screen readers start at the top.
    if (navigations === 0) return;
    heading.current?.focus({ preventScroll: isReturn });
    announcePolite(title);
  }, [navigations]);

  return (
    <>
      <header class="screen-header">
        <h1 ref={heading} tabIndex={-1} dir="auto" class="clamped">
          {title}
        </h1>
        {actions && <div>{actions}</div>}
      </header>
      {children}
    </>
  );
}
