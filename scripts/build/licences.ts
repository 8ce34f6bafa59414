import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { shippedPackages } from "./shipped-packages.ts";

const PROJECT = Bun.fileURLToPath(new URL("../../", import.meta.url));
/** The package `bun` has no licence file, but the development package `bun-types` contains one. */
export const BUN_LICENCE = join(PROJECT, "node_modules/bun-types/docs/project/license.mdx");
const RULE = "-".repeat(80);

/**
 * Returns the licence texts of petstore and of every package in the executable. These texts must be distributed together with the
 * executable.
 */
export async function licenceTexts(): Promise<string> {
  const texts = [section("petstore", await textOf("LICENSE"))];
  for (const { path, name: packageName, locked } of shippedPackages()) {
    const names = (await readdir(join(PROJECT, path))).filter((name) => /^(licen[cs]e|notice)/i.test(name));
    if (names.length === 0) throw new Error(`${path} has no licence file. An executable may not contain it.`);
    for (const name of names.sort())
      texts.push(section(`${packageName} ${locked.version}`, await textOf(join(path, name))));
  }
  texts.push(section("bun", await Bun.file(BUN_LICENCE).text()));
  return texts.join("\n");
}

function textOf(path: string): Promise<string> {
  return Bun.file(join(PROJECT, path)).text();
}

function section(name: string, text: string): string {
  return `${RULE}\n${name}\n${RULE}\n\n${text.trim()}\n`;
}
