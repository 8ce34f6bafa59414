import { join } from "node:path";
import { releaseChanges } from "./changelog.ts";

/** Files with the product's version. The OpenAPI documents have the API's own version. */
export const VERSIONED_FILES = [
  "package.json",
  "client/package.json",
  "client/src/version.ts",
  "package-lock.json",
  "CHANGELOG.md",
] as const;

/**
 * @param date as `2026-11-21`
 */
export async function writeVersion(folder: string, version: string, date: string): Promise<void> {
  const edit = async (name: (typeof VERSIONED_FILES)[number], change: (text: string) => string) => {
    const file = Bun.file(join(folder, name));
    await Bun.write(file, change(await file.text()));
  };
  for (const name of ["package.json", "client/package.json"] as const)
    await edit(name, (text) => asJson({ ...JSON.parse(text), version }));
  await edit("client/src/version.ts", (text) => text.replace(/"[^"]*"/, JSON.stringify(version)));
  await edit("package-lock.json", (text) => {
    const lock = JSON.parse(text);
    const { "": root, client } = lock.packages;
    const packages = { ...lock.packages, "": { ...root, version }, client: { ...client, version } };
    return asJson({ ...lock, version, packages });
  });
  await edit("CHANGELOG.md", (text) => releaseChanges(text, version, date));
}

/** As npm does. */
function asJson(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
