import { find } from "./find.ts";

/** The search: its entries are on the page, so that it works without a network. `/` opens it, arrows move, Enter follows. */
export function openSearch(): void {
  const dialog = find("search", HTMLDialogElement);
  const field = find("search-text", HTMLInputElement);
  const count = find("search-count", HTMLElement);
  const items = [...dialog.querySelectorAll("li")].map((item) => ({
    item,
    text: (item.textContent ?? "").toLowerCase(),
  }));

  function open(): void {
    dialog.showModal();
    field.select();
    filter();
  }

  function filter(): void {
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
  // A click on the backdrop is one on the dialog itself.
  dialog.addEventListener("click", ({ target }) => {
    if (target === dialog || (target instanceof Element && target.closest("a") !== null)) dialog.close();
  });
}
