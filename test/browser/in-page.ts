import type { Page } from "playwright-core";

/** The files of `in-page/`, keyed by the function that each of them defines. */
const FILES = {
  findGeometryFaults: "geometry",
  findOverlaps: "geometry",
  findForcedColorFaults: "forced-colors",
  findMotion: "forced-colors",
} as const;

const transpiler = new Bun.Transpiler({ loader: "ts" });

/** Calls a function of `in-page/` inside the page. The function returns one sentence for each fault. */
export async function findFaults(page: Page, name: keyof typeof FILES): Promise<readonly string[]> {
  if ((await page.evaluate(`typeof ${name}`)) === "undefined") {
    const source = await Bun.file(new URL(`./in-page/${FILES[name]}.ts`, import.meta.url)).text();
    await page.evaluate(`{${transpiler.transformSync(source)}}`);
  }
  return page.evaluate(`${name}()`);
}

/**
 * Collects the faults of all pages, so that a single run shows all of them. Each is listed with its page and the display settings.
 */
export function collectFaults() {
  const shownAs = new Map<string, string[]>();
  return {
    add(where: string, how: string, faults: readonly string[]): void {
      for (const found of faults) {
        const fault = `${where}: ${found}`;
        shownAs.set(fault, [...(shownAs.get(fault) ?? []), how]);
      }
    },
    all: () => [...shownAs].map(([fault, ways]) => `${fault} (${ways.join(", ")})`),
  };
}
