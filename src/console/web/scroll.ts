// Where the page of each history entry was scrolled to. The browser restores that before the content has been read.

/** For the content to be read; then the page stays where it is. */
const RESTORE_MS = 5_000;
const GESTURES = ["wheel", "touchstart", "pointerdown", "keydown", "popstate"] as const;
const KEPT = "scrolls";

const scrolls = new Map<number, number>(JSON.parse(sessionStorage.getItem(KEPT) ?? "[]"));
let restoring = new AbortController();

export function noteScroll(entry: number): void {
  scrolls.set(entry, scrollY);
}

/** Keeps them for a reload, and for a return from another site. */
export function keepScrolls(currentEntry: () => number): void {
  history.scrollRestoration = "manual";
  addEventListener("pagehide", () => {
    noteScroll(currentEntry());
    sessionStorage.setItem(KEPT, JSON.stringify([...scrolls]));
  });
}

/**
 * Scrolls to where a page was left, as soon as it is that tall again. A gesture of the person ends the attempt.
 *
 * @param left the address of the page that was open meanwhile: the link to it gets the focus
 */
export function restoreScroll(entry: number, left?: string): void {
  restoring.abort();
  const top = scrolls.get(entry) ?? 0;
  if (top === 0 && left === undefined) return;
  restoring = new AbortController();
  const { signal } = restoring;
  const link = `main a[href="${CSS.escape(left ?? "")}"]`;
  const observer = new ResizeObserver(() => {
    if (document.documentElement.scrollHeight - innerHeight < top) return;
    scrollTo(0, top);
    if (left !== undefined) document.querySelector<HTMLElement>(link)?.focus({ preventScroll: true });
    if (document.querySelector("main :is(.loading, [aria-busy=true])") === null) restoring.abort();
  });
  signal.addEventListener("abort", () => observer.disconnect());
  observer.observe(document.body);
  for (const gesture of GESTURES) addEventListener(gesture, () => restoring.abort(), { once: true, signal });
  setTimeout(() => restoring.abort(), RESTORE_MS);
}
