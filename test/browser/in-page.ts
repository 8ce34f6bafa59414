import type { Page } from "playwright-core";

/** The files in the folder `in-page/`, keyed by the name of the function that each file defines. */
const FILES = {
  findGeometryFaults: "geometry",
  findOverlaps: "geometry",
  findForcedColorFaults: "forced-colors",
  findMotion: "forced-colors",
} as const;

const transpiler = new Bun.Transpiler({ loader: "ts" });

/** Runs a function from the folder `in-page/` inside the page. The function returns one sentence for each fault that it finds. */
export async function findFaults(page: Page, name: keyof typeof FILES): Promise<readonly string[]> {
  if ((await page.evaluate(`typeof ${name}`)) === "undefined") {
    const source = await Bun.file(new URL(`./in-page/${FILES[name]}.ts`, import.meta.url)).text();
    await page.evaluate(`{${transpiler.transformSync(source)}}`);
  }
  return page.evaluate(`${name}()`);
}

/** Collects the faults of all pages before the test fails, so that one run shows all of them. */
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
