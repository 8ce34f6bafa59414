// Runs inside the page while forced colours are on. In this mode, the browser removes backgrounds and shadows.

Object.assign(globalThis, { findForcedColorFaults, findMotion });

const FILLED =
  "button:not(.link), .button, input:not([type=checkbox], [type=radio]), select, textarea, .badge, dialog, .card";
const CHOSEN = "[aria-current], [aria-selected=true], [aria-pressed=true]";
const FOCUSABLE = "a[href], button:not(:disabled), input:not(:disabled), select, textarea, summary";

/**
 * Returns faults that appear with forced colours: information that only a background, a shadow or a colour conveys, and controls
 * whose focus is not visible.
 */
function findForcedColorFaults(): readonly string[] {
  const scope = document.querySelector("dialog[open]") ?? document.body;
  const visible = (selector: string) =>
    [...scope.querySelectorAll<HTMLElement>(selector)].filter((element) => element.checkVisibility());
  return [
    ...visible(FILLED)
      .filter(
        (element) =>
          !isOutlined(getComputedStyle(element)) && element.closest("[role=tab], [role=option]") === null,
      )
      .map((element) => `${describe(element)} has no border`),
    ...visible(CHOSEN)
      .filter((element) => !isOutlined(getComputedStyle(element)))
      .map((element) => `${describe(element)} is marked by colour or weight alone`),
    ...visible(".badge, [role=alert]")
      .filter(({ textContent }) => textContent?.trim() === "")
      .map((element) => `${describe(element)} has no words`),
    ...visible(FOCUSABLE)
      .filter((element) => !isFocusVisible(element))
      .map((element) => `${describe(element)} does not show that it has the focus`),
  ];
}

/** Returns the elements that are animated although the user has asked for reduced motion. */
function findMotion(): readonly string[] {
  // CSS transitions are left out, because one may have begun before reduced motion was turned on.
  const animations = document.getAnimations().filter((animation) => animation instanceof CSSAnimation);
  const animated = animations.map(({ effect }) => (effect instanceof KeyframeEffect ? effect.target : null));
  const transitioned = [...document.querySelectorAll("*")].filter((element) =>
    getComputedStyle(element)
      .transitionDuration.split(", ")
      .some((duration) => duration !== "0s"),
  );
  return [...animated, ...transitioned].map((element) => `${element && describe(element)} moves`);
}

function isOutlined(style: CSSStyleDeclaration): boolean {
  return (
    (style.borderBottomStyle !== "none" && style.borderBottomWidth !== "0px") ||
    (style.outlineStyle !== "none" && style.outlineWidth !== "0px")
  );
}

function isFocusVisible(element: HTMLElement): boolean {
  const before = document.activeElement;
  // Removes the focus first, because `focusVisible` has no effect on an element that already has the focus.
  element.blur();
  element.focus({ preventScroll: true, focusVisible: true } as FocusOptions);
  const isFocused = document.activeElement === element;
  const { outlineStyle, outlineWidth } = getComputedStyle(element);
  if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  return !isFocused || (outlineStyle !== "none" && outlineWidth !== "0px");
}

function describe(element: Element): string {
  return `${element.localName}.${element.getAttribute("class") ?? ""} "${element.textContent?.trim().slice(0, 30)}"`;
}
