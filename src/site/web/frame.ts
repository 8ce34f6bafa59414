import { openSearch } from "./search.ts";

/** Distance between the top of the window and a heading that a link has led to (`scroll-margin-top`). */
const MARGIN_PX = 24;

followScroll();
openSearch();

/** Marks the current section in the table of contents. On a small screen, following a link closes the table of contents. */
function followScroll() {
  const contents = document.getElementById("contents");
  if (contents === null) return;
  const links = [...contents.querySelectorAll<HTMLAnchorElement>('a[href^="#"]')];
  const targets = links.flatMap((link) => {
    const heading = document.getElementById(decodeURIComponent(link.hash.slice(1)));
    return heading === null ? [] : [{ link, heading }];
  });
  let current: HTMLAnchorElement | undefined;

  function mark() {
    const edge = (document.querySelector(".bar")?.getBoundingClientRect().bottom ?? 0) + MARGIN_PX;
    const passed = targets.findLast(({ heading }) => heading.getBoundingClientRect().top <= edge);
    if (passed?.link === current) return;
    current?.removeAttribute("aria-current");
    current = passed?.link;
    current?.setAttribute("aria-current", "location");
    if (current !== undefined) keepVisible(contents as HTMLElement, current);
  }

  let isDue = false;
  addEventListener(
    "scroll",
    () => {
      if (isDue) return;
      isDue = true;
      requestAnimationFrame(() => {
        isDue = false;
        mark();
      });
    },
    { passive: true },
  );
  contents.addEventListener("click", ({ target }) => {
    if (target instanceof Element && target.closest("a") !== null && contents.matches(":popover-open"))
      contents.hidePopover();
  });
  mark();
}

/** Scrolls the table of contents until a link is visible. `scrollIntoView` is not used, because it would also scroll the page. */
function keepVisible(contents: HTMLElement, link: HTMLElement) {
  const { top, bottom } = contents.getBoundingClientRect();
  const at = link.getBoundingClientRect();
  if (at.top < top + MARGIN_PX || at.bottom > bottom - MARGIN_PX)
    contents.scrollTop += at.top - top - contents.clientHeight / 2;
}
