import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

/**
 * Settings with which LibreOffice saves CSV files in different countries, keyed by encoding: the separator, and the number of the
 * encoding in LibreOffice's list.
 */
export const SAVED_AS = {
  "UTF-8": { separator: ",", encoding: 76 },
  "windows-1252": { separator: ";", encoding: 1 },
  "windows-1250": { separator: ";", encoding: 33 },
} as const;

/**
 * Opens a CSV file in LibreOffice as a double click does, replaces the texts of cells, and saves the sheet as CSV.
 *
 * @returns the bytes of the saved file
 */
export async function editInLibreOffice(
  file: string,
  edits: Readonly<Record<string, string>>,
  encoding: keyof typeof SAVED_AS = "UTF-8",
): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), "petstore-libreoffice-"));
  const convert = (from: string, ...options: readonly string[]) =>
    Bun.$`soffice -env:UserInstallation=file://${folder}/profile --headless ${options} --outdir ${folder} ${from}`.quiet();
  // LibreOffice's flat file format contains the cells as XML, as LibreOffice has understood them.
  await convert(file, "--infilter=CSV:44,34,76,1", "--convert-to", "fods");
  const sheet = join(folder, basename(file).replace(/\.csv$/, ".fods"));
  let text = readFileSync(sheet, "utf8");
  for (const [before, after] of Object.entries(edits)) {
    if (!text.includes(`>${before}<`)) throw new Error(`No cell contains ${before}.`);
    text = text.replace(`>${before}<`, `>${after}<`);
  }
  writeFileSync(sheet, text);
  const { separator, encoding: number } = SAVED_AS[encoding];
  const saving = `csv:Text - txt - csv (StarCalc):${separator.charCodeAt(0)},34,${number},1`;
  await convert(sheet, "--convert-to", saving);
  return readFileSync(sheet.replace(/\.fods$/, ".csv"));
}
