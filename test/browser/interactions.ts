import type { Page } from "playwright-core";

interface Interactions {
  /** Number of keys pressed, without modifiers. `fill` and `selectOption` press none. */
  readonly keys: number;
  readonly clicks: number;
}

const COUNT = `(() => {
  globalThis.interactions = { keys: 0, clicks: 0 };
  const modifiers = ["Shift", "Control", "Alt", "Meta"];
  addEventListener("keydown", ({ key }) => (interactions.keys += modifiers.includes(key) ? 0 : 1), true);
  addEventListener("pointerdown", () => (interactions.clicks += 1), true);
})()`;

/** Counts a person's actions on this page until it is loaded again. The function that it returns reads the counts. */
export async function countInteractions(page: Page): Promise<() => Promise<Interactions>> {
  await page.evaluate(COUNT);
  return () => page.evaluate("interactions") as Promise<Interactions>;
}
