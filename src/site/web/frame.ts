import { find } from "./find.ts";

/** Distance between the window's top and the target of a link (`scroll-margin-top`). */
const MARGIN_PX = 24;

followScroll();
openSearch();

/** Marks the current section in the contents, and closes the contents of a small screen after a click on a link. */
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

/** Scrolls the table of contents to a link; `scrollIntoView` would scroll the page, too. */
function keepVisible(contents: HTMLElement, link: HTMLElement) {
  const { top, bottom } = contents.getBoundingClientRect();
  const at = link.getBoundingClientRect();
  if (at.top < top + MARGIN_PX || at.bottom > bottom - MARGIN_PX)
    contents.scrollTop += at.top - top - contents.clientHeight / 2;
}

/** Binds the search dialog. Its entries are in the page, so it works offline. `/` opens it, arrows move, Enter follows. */
function openSearch() {
  const dialog = find("search", HTMLDialogElement);
  const field = find("search-text", HTMLInputElement);
  const count = find("search-count", HTMLElement);
  const items = [...dialog.querySelectorAll("li")].map((item) => ({
    item,
    text: (item.textContent ?? "").toLowerCase(),
  }));

  function open() {
    dialog.showModal();
    field.select();
    filter();
  }

  function filter() {
    const words = field.value.toLowerCase().split(/\s+/);
    for (const { item, text } of items) item.hidden = !words.every((word) => text.includes(word));
    const found = items.filter(({ item }) => !item.hidden).length;
    count.textContent = found === 1 ? "1 result" : `${found} results`;
  }

  find("open-search", HTMLElement).addEventListener("click", open);
  field.addEventListener("input", filter);
  addEventListener("keydown", (event) => {
    const isTyping = event.target instanceof Element && event.target.matches("input, textarea, select");
    if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    open();
  });
  dialog.addEventListener("keydown", (event) => {
    const links = [field, ...dialog.querySelectorAll<HTMLElement>("li:not([hidden]) a")];
    const at = links.findIndex((link) => link.matches(":focus"));
    if (event.key === "Enter" && at === 0) links[1]?.click();
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    links[Math.max(0, at + step)]?.focus();
  });
  // A click on the backdrop has the dialog itself as its target.
  dialog.addEventListener("click", ({ target }) => {
    if (target === dialog || (target instanceof Element && target.closest("a") !== null)) dialog.close();
  });
}
