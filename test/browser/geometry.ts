import type { Page } from "playwright-core";

const SOURCE = new URL("./in-page/geometry.ts", import.meta.url);

const script = new Bun.Transpiler({ loader: "ts" }).transform(await Bun.file(SOURCE).text());

async function run(page: Page, name: "findGeometryFaults" | "findOverlaps"): Promise<readonly string[]> {
  await page.evaluate(`{${await script}}`);
  return page.evaluate(`${name}()`);
}

/** What leaves its frame or the viewport, dialogs that are not in the middle, and targets under 24 px (WCAG 2.2, 2.5.8). */
export function geometryFaults(page: Page): Promise<readonly string[]> {
  return run(page, "findGeometryFaults");
}

/** Texts and controls that cover each other. */
export function overlaps(page: Page): Promise<readonly string[]> {
  return run(page, "findOverlaps");
}
