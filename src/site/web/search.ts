import type { SearchEntry } from "../search-entry.ts";
import { find } from "./find.ts";

const SHOWN_MAX = 30;

/** Maximum number of characters of an entry's text in a search result. This is more than fits on one line. */
const NOTE_LENGTH = 160;

/**
 * Connects the search dialog, which loads its index when it is first opened. The `/` key opens the dialog, the arrow keys move
 * between results, and Enter follows a link.
 */
export function openSearch() {
  const dialog = find("search", HTMLDialogElement);
  const field = find("search-text", HTMLInputElement);
  const count = find("search-count", HTMLElement);
  const list = find("search-results", HTMLElement);
  let ranking: ReturnType<typeof loadRanking> | undefined;

  function open() {
    dialog.showModal();
    field.select();
    void show();
  }

  async function show() {
    if (ranking === undefined) count.textContent = "Loading…";
    ranking ??= loadRanking();
    try {
      const found = (await ranking)(field.value);
      list.replaceChildren(...found.slice(0, SHOWN_MAX).map(item));
      count.textContent = found.length === 1 ? "1 result" : `${found.length} results`;
    } catch {
      ranking = undefined;
      count.textContent = "The search index did not load. Check the connection, and type again.";
    }
  }

  find("open-search", HTMLElement).addEventListener("click", open);
  field.addEventListener("input", show);
  addEventListener("keydown", (event) => {
    const isTyping = event.target instanceof Element && event.target.matches("input, textarea, select");
    if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    open();
  });
  dialog.addEventListener("keydown", async (event) => {
    const isInField = field.matches(":focus");
    if (event.key === "Enter" && isInField) {
      await show();
      list.querySelector("a")?.click();
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    if (isInField) await show();
    const links = [field, ...list.querySelectorAll("a")];
    const at = links.findIndex((link) => link.matches(":focus"));
    links[Math.max(0, at + step)]?.focus();
  });
  // After a click on the dialog's backdrop, the event's target is the dialog itself.
  dialog.addEventListener("click", ({ target }) => {
    if (target === dialog || (target instanceof Element && target.closest("a") !== null)) dialog.close();
  });
}

async function loadRanking() {
  // The search index is fetched before the search module is imported, because a failed fetch can be repeated, but a failed import
  // cannot: browsers remember the failure.
  const entries = (await (await fetch("/docs/search.json")).json()) as readonly SearchEntry[];
  const { createRanking } = await import("./rank.ts");
  return createRanking(entries);
}

function item({ kind, label, text, href }: SearchEntry): HTMLElement {
  const link = Object.assign(document.createElement("a"), { href });
  const parts = { b: label, span: text.slice(0, NOTE_LENGTH), i: kind };
  for (const [tag, textContent] of Object.entries(parts))
    link.append(Object.assign(document.createElement(tag), { textContent }), " ");
  const around = document.createElement("li");
  around.append(link);
  return around;
}
