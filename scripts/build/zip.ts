import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { crc32, deflateRawSync } from "node:zlib";

/** 1 January 1980, the earliest date of the format. */
const DOS_DATE = 0x0021;
const DEFLATED = 8;
const UTF8_NAMES = 0x0800;
const VERSION_NEEDED = 20;
/** Unix (3), so that the file mode is valid. */
const VERSION_MADE_BY = 0x0314;
const REGULAR_FILE = 0o100755 * 0x1_0000;

/**
 * A zip archive (APPNOTE.TXT 6.3) of a folder's files, each below 4 GiB. The same files give the same bytes.
 *
 * @param folder name of a folder in `from`, and of the archive's only folder
 */
export async function zipOf(from: string, folder: string): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  const entries: Uint8Array[] = [];
  let offset = 0;
  for (const file of (await readdir(join(from, folder))).sort()) {
    const bytes = await Bun.file(join(from, folder, file)).bytes();
    const packed = deflateRawSync(bytes, { level: 9 });
    const name = Buffer.from(`${folder}/${file}`);
    const described = shortFields([UTF8_NAMES, DEFLATED, 0, DOS_DATE]);
    const sizes = longFields([crc32(bytes), packed.byteLength, bytes.byteLength]);
    const names = shortFields([name.byteLength, 0]);
    const head = [longFields([0x04034b50]), shortFields([VERSION_NEEDED]), described, sizes, names, name];
    const versions = shortFields([VERSION_MADE_BY, VERSION_NEEDED]);
    const place = [shortFields([0, 0, 0]), longFields([REGULAR_FILE, offset])];
    entries.push(
      Buffer.concat([longFields([0x02014b50]), versions, described, sizes, names, ...place, name]),
    );
    const local = Buffer.concat([...head, packed]);
    parts.push(local);
    offset += local.byteLength;
  }
  const directory = Buffer.concat(entries);
  const counts = shortFields([0, 0, entries.length, entries.length]);
  const end = [
    longFields([0x06054b50]),
    counts,
    longFields([directory.byteLength, offset]),
    shortFields([0]),
  ];
  return Buffer.concat([...parts, directory, ...end]);
}

function shortFields(values: readonly number[]): Uint8Array {
  return new Uint8Array(Uint16Array.from(values).buffer);
}

function longFields(values: readonly number[]): Uint8Array {
  return new Uint8Array(Uint32Array.from(values).buffer);
}
