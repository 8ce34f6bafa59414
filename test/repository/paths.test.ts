import { expect, test } from "bun:test";
import { PROJECT } from "./documents.ts";

test("a file's address is turned into its path in the way that knows of spaces", async () => {
  const files = new Bun.Glob("{bench,bin,scripts,src,test}/**/*.{ts,tsx,js,mjs}").scanSync({ cwd: PROJECT });
  const offenders: string[] = [];
  for (const file of files) {
    if (file.includes("node_modules/")) continue;
    // In a folder with a space in its name, this one is another path.
    if (/import\.meta\.url\)\s*\.pathname/.test(await Bun.file(PROJECT + file).text())) offenders.push(file);
  }
  expect(offenders).toEqual([]);
});
