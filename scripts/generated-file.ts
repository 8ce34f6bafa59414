/** Writes a generated file. With `--check`, writes nothing, and sets the exit code 1 if the file is out of date. */
export async function writeOrCheck(path: string, text: string): Promise<void> {
  const file = Bun.file(new URL(`../${path}`, import.meta.url));
  if ((await file.exists()) && (await file.text()) === text) return;
  if (process.argv.includes("--check")) {
    console.error(`${path} is out of date. Run: npm run docs`);
    process.exitCode = 1;
  } else await Bun.write(file, text);
}
