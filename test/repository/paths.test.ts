import { expect, test } from "bun:test";
import { PROJECT } from "./documents.ts";

test("file URLs become paths by fileURLToPath, which decodes spaces", async () => {
  const files = new Bun.Glob("{bench,bin,client,scripts,src,test}/**/*.{ts,tsx,js,mjs}").scanSync({
    cwd: PROJECT,
  });
  const offenders: string[] = [];
  for (const file of files) {
    if (file.includes("node_modules/")) continue;
    // `.pathname` keeps a space as %20.
    if (/import\.meta\.url\)\s*\.pathname/.test(await Bun.file(PROJECT + file).text())) offenders.push(file);
  }
  expect(offenders).toEqual([]);
});
