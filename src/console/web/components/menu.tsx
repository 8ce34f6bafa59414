import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";

interface MenuProps {
  /** Accessible name of the button: `More for Rex`. */
  readonly label: string;
  readonly children: ComponentChildren;
  /** True for items that stand in the menu's place where the window is wide enough. */
  readonly isInline?: boolean;
}

/** A button with a popover of links and buttons. Choosing one closes it, and returns the focus to the button. */
export function Menu({ label, isInline = false, children }: MenuProps) {
  const id = useId();
  const popover = useRef<HTMLDivElement>(null);
  // A list has a menu in every row: its items are rendered when it is opened first.
  const isOpened = useSignal(false);
  useLayoutEffect(() => {
    const close = () => popover.current?.hidePopover();
    // Before the item acts: a dialog that it opens gives the focus back to the button.
    popover.current?.addEventListener("click", close, { capture: true });
  }, []);
  return (
    <>
      <button type="button" class="secondary more" popovertarget={id} aria-label={label}>
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
