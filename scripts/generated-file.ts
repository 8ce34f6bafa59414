/** Writes a generated file. With `--check`, it writes nothing, and sets exit code 1 if the file's text is different. */
export async function writeOrCheck(path: string, text: string): Promise<void> {
  const file = Bun.file(new URL(`../${path}`, import.meta.url));
  if ((await file.exists()) && (await file.text()) === text) return;
  if (process.argv.includes("--check")) {
    console.error(`${path} is out of date. Run: npm run docs`);
    process.exitCode = 1;
  } else await Bun.write(file, text);
}
