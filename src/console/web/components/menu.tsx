import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";

interface MenuProps {
  /** Accessible name of the button: `More for Rex`. */
  readonly label: string;
  readonly children: ComponentChildren;
  /** True to show the items themselves instead of the menu if the window is wide enough. */
  readonly isInline?: boolean;
}

/** A button with a popover of links and buttons. Choosing one closes it, and returns the focus to the button. */
export function Menu({ label, isInline = false, children }: MenuProps) {
  const id = useId();
  const popover = useRef<HTMLDivElement>(null);
  // Every row of a list has a menu, so its items are rendered only when it is first opened.
  const isOpened = useSignal(false);
  /** Moves between the items by arrow keys. */
  function move(event: KeyboardEvent) {
    const items = [...(popover.current?.querySelectorAll<HTMLElement>("a, button") ?? [])];
    const index = items.indexOf(document.activeElement as HTMLElement);
    const next = { ArrowDown: index + 1, ArrowUp: Math.max(index, 0) - 1 }[event.key];
    if (next === undefined || !popover.current?.matches(":popover-open")) return;
    event.preventDefault();
    items.at(next % items.length)?.focus();
  }
  useLayoutEffect(() => {
    popover.current?.addEventListener("keydown", move);
    const close = () => popover.current?.hidePopover();
    // Focused before the item acts, so that a dialog that it opens returns the focus to this button.
    popover.current?.addEventListener("click", close, { capture: true });
  }, []);
  return (
    <>
      <button type="button" class="secondary more" popovertarget={id} aria-label={label} onKeyDown={move}>
        ⋯
      </button>
      <div
        ref={popover}
        id={id}
        popover="auto"
        class={isInline ? "menu inline" : "menu"}
        onBeforeToggle={() => {
          isOpened.value = true;
        }}
      >
        {(isInline || isOpened.value) && children}
      </div>
    </>
  );
}
