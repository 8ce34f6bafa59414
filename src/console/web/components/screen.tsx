import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { isStaging } from "../environment.ts";
import { tabsOf } from "../navigation.ts";
import { route } from "../router.ts";
import { announcePolite } from "./announce.tsx";
import { Tabs } from "./tabs.tsx";

interface ScreenProps {
  readonly title: string;
  readonly within?: string;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

/**
 * A page of the console. It sets the document's title, and moves the focus to the heading after a navigation. The tabs of a group
 * of pages are shown under the heading.
 */
export function Screen({ title, within, actions, children }: ScreenProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { path, navigations } = route.value;
  const tabs = tabsOf(path);

  useLayoutEffect(() => {
    const parts = [isStaging && "Staging", title, within, "petstore"];
    document.title = parts.filter(Boolean).join(" · ");
  }, [title, within]);

  useLayoutEffect(() => {
    // The focus does not move to the heading after a page load, because screen readers then begin at the top anyway.
    if (navigations === 0) return;
    // Focusing the heading must not scroll the page, because the page gets its scroll position later, when this screen becomes
    // visible.
    heading.current?.focus({ preventScroll: true });
    announcePolite(title);
  }, [navigations]);

  return (
    <>
      <header class="screen-header">
        <h1 ref={heading} tabIndex={-1} dir="auto" class="clamped">
          {/* Each title has a new element, because a browser's translator may have replaced the text of the old element. */}
          <span key={title} translate={within === undefined}>
            {title}
          </span>
        </h1>
        {actions && <div>{actions}</div>}
      </header>
      {tabs.length > 0 && <Tabs label={`Pages of ${tabs[0]?.label}`} tabs={tabs} />}
      {children}
    </>
  );
}
