import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";

interface MenuProps {
  /** The accessible name of the button, such as `More for Rex`. */
  readonly label: string;
  readonly children: ComponentChildren;
  /** True if the menu's items are shown directly, without a button, when the window is wide enough. */
  readonly isInline?: boolean;
}

/**
 * A button that opens a popover with links and buttons. When one of them is chosen, the popover closes and the focus returns to
 * the button.
 */
export function Menu({ label, isInline = false, children }: MenuProps) {
  const id = useId();
  const popover = useRef<HTMLDivElement>(null);
  // The menu's items are rendered only when the menu is first opened, because a list has a menu in every row.
  const isOpened = useSignal(false);
  /** Moves the focus from item to item with the arrow keys. */
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
    // The menu's button gets the focus before the chosen item acts. If the item opens a dialog, the dialog can therefore return
    // the focus to this button.
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
