import type { Page } from "playwright-core";

interface Interactions {
  /** The number of keys pressed, not counting modifier keys. `fill` and `selectOption` press no keys. */
  readonly keys: number;
  readonly clicks: number;
}

const COUNT = `(() => {
  globalThis.interactions = { keys: 0, clicks: 0 };
  const modifiers = ["Shift", "Control", "Alt", "Meta"];
  addEventListener("keydown", ({ key }) => (interactions.keys += modifiers.includes(key) ? 0 : 1), true);
  addEventListener("pointerdown", () => (interactions.clicks += 1), true);
})()`;

/** Counts the keys and clicks on a page, until the page is loaded again. Returns a function that reads the counts. */
export async function countInteractions(page: Page): Promise<() => Promise<Interactions>> {
  await page.evaluate(COUNT);
  return () => page.evaluate("interactions") as Promise<Interactions>;
}
