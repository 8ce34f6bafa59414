// Size limits by folder. Raising a number is a line in a diff, for a reviewer to see.
import { PROJECT, readFiles, type SourceFile } from "./source.ts";
import { syntaxOf } from "./syntax.ts";

interface Counts {
  readonly lines: number;
  /** Tokens of TypeScript and JavaScript, without comments. */
  readonly tokens: number;
  readonly exports: number;
}

/** Ceilings by folder, rounded up: one more line passes, one more component fails. */
const CEILINGS: Readonly<Record<string, Counts>> = {
  bench: { lines: 6228, tokens: 49170, exports: 180 },
  client: { lines: 8580, tokens: 53220, exports: 489 },
  "exact-json": { lines: 1275, tokens: 9540, exports: 45 },
  scripts: { lines: 9315, tokens: 82680, exports: 207 },
  src: { lines: 2370, tokens: 15270, exports: 291 },
  "src/accounts": { lines: 7575, tokens: 47220, exports: 489 },
  "src/api": { lines: 1725, tokens: 11250, exports: 54 },
  "src/categories": { lines: 1035, tokens: 5580, exports: 63 },
  "src/cli": { lines: 17070, tokens: 128520, exports: 516 },
  "src/console": { lines: 35790, tokens: 236700, exports: 1140 },
  "src/contract": { lines: 5505, tokens: 35610, exports: 264 },
  "src/delivery": { lines: 2415, tokens: 19140, exports: 75 },
  "src/delivery-queue": { lines: 525, tokens: 3180, exports: 39 },
  "src/events": { lines: 2535, tokens: 17820, exports: 144 },
  "src/http": { lines: 11040, tokens: 78900, exports: 465 },
  "src/keys": { lines: 2775, tokens: 18000, exports: 162 },
  "src/messages": { lines: 885, tokens: 4980, exports: 54 },
  "src/orders": { lines: 840, tokens: 5580, exports: 48 },
  "src/pet-files": { lines: 2790, tokens: 21090, exports: 165 },
  "src/pets": { lines: 1665, tokens: 11130, exports: 96 },
  "src/platform": { lines: 2250, tokens: 15840, exports: 117 },
  "src/rehearsal": { lines: 1005, tokens: 7020, exports: 42 },
  "src/server": { lines: 5520, tokens: 38550, exports: 159 },
  "src/site": { lines: 10620, tokens: 60840, exports: 267 },
  "src/storage": { lines: 20220, tokens: 120090, exports: 798 },
  "src/telemetry": { lines: 2685, tokens: 17850, exports: 81 },
  "src/webhooks": { lines: 3015, tokens: 18690, exports: 189 },
  test: { lines: 131340, tokens: 1272000, exports: 1155 },
};

/** Ceilings of components that operators and readers have to know, whatever their size. */
const MACHINES: Readonly<Record<string, number>> = {
  "files of src": 1650,
  "timers and loops": 90,
  tables: 72,
  "child processes": 15,
  settings: 81,
  "Database members": 33,
};

const COUNTED = /^(src\/[^/]+\/|src|client|exact-json|test|bench|scripts)/;

/** Folder whose counts include a file; each folder of `src/` is its own. */
function folderOf(path: string): string | undefined {
  return COUNTED.exec(path)?.[1]?.replace(/\/$/, "");
}

/** Reads the counted files. Of CSS, SQL and Go, only lines count. */
export async function readCounted(root = PROJECT): Promise<readonly SourceFile[]> {
  const files = await readFiles(
    ["{src,client,exact-json,test,bench,scripts}/**/*.{ts,tsx,js,mjs,css,sql,go}"],
    root,
  );
  return files.filter(({ path }) => !/\/(dist|clients)\//.test(path));
}

export function countFolders(files: readonly SourceFile[]): ReadonlyMap<string, Counts> {
  const counts = new Map<string, Counts>();
  for (const file of files) {
    const folder = folderOf(file.path);
    if (folder === undefined) continue;
    const { lines, tokens, exports } = counts.get(folder) ?? { lines: 0, tokens: 0, exports: 0 };
    const own = countFile(file);
    counts.set(folder, {
      lines: lines + own.lines,
      tokens: tokens + own.tokens,
      exports: exports + own.exports,
    });
  }
  return counts;
}

const EXPORT = /^export (?:async )?(?:const|function\*?|class|interface|type|let) /gm;

function countFile(file: SourceFile): Counts {
  const { path, text } = file;
  const lines = text.split("\n").length - 1;
  if (!/\.(tsx?|m?js)$/.test(path)) return { lines, tokens: 0, exports: 0 };
  return { lines, tokens: syntaxOf(file).tokens, exports: text.match(EXPORT)?.length ?? 0 };
}

export function countMachines(files: readonly SourceFile[]): Readonly<Record<string, number>> {
  const source = files.filter(({ path }) => /^src\/.*\.(tsx?|sql)$/.test(path) && !/\.test\.ts$/.test(path));
  const count = (pattern: RegExp, path = /./): number =>
    source
      .filter((file) => path.test(file.path))
      .reduce(
        (sum, { text }) => sum + (text.replaceAll(/^ *(\/\/|\*).*$/gm, "").match(pattern)?.length ?? 0),
        0,
      );
  return {
    "files of src": files.filter(({ path }) => path.startsWith("src/")).length,
    "timers and loops": count(/\b(setInterval|setTimeout|startInterval|startSchedule)\(|clock\.wait\(/g),
    tables: new Set(
      source
        .filter(({ path }) => path.includes("/migrations/sqlite/"))
        .flatMap(({ text }) => text.match(/^CREATE TABLE \w+/gm) ?? []),
    ).size,
    "child processes": count(/\bBun\.spawn(Sync)?\(|runOwnCommand\(/g),
    settings: count(/\bsetting\(\s*"PETSTORE_/g, /^src\/config\.ts$/),
    "Database members": membersOf(source.find(({ path }) => path === "src/storage/database.ts")?.text ?? ""),
  };
}

/** Number of members of the interface `Database`. */
function membersOf(text: string): number {
  const [, body = ""] = /^export interface Database \{\n(.*?)^\}/ms.exec(text) ?? [];
  return body.match(/^ {2}(readonly )?\w+[?<(:]/gm)?.length ?? 0;
}

export function findCeilingFaults(files: readonly SourceFile[]): readonly string[] {
  const folders = countFolders(files);
  const machines = countMachines(files);
  const over = (what: string, is: number, ceiling: number | undefined) =>
    ceiling !== undefined && is <= ceiling
      ? []
      : [
          `${what}: ${is}, at most ${ceiling ?? 0}. Take something away, or raise it in scripts/check/ceilings.ts.`,
        ];
  return [
    ...[...folders].flatMap(([folder, { lines, tokens, exports }]) => [
      ...over(`lines of ${folder}`, lines, CEILINGS[folder]?.lines),
      ...over(`tokens of ${folder}`, tokens, CEILINGS[folder]?.tokens),
      ...over(`exports of ${folder}`, exports, CEILINGS[folder]?.exports),
    ]),
    ...Object.entries(machines).flatMap(([what, is]) => over(what, is, MACHINES[what])),
    ...Object.keys(CEILINGS)
      .filter((folder) => !folders.has(folder))
      .map((folder) => `${folder}: there is no such folder; delete its row in scripts/check/ceilings.ts.`),
  ];
}

if (import.meta.main) {
  const files = await readCounted(process.argv[2]);
  for (const [folder, { lines, tokens, exports }] of countFolders(files))
    console.log(`${folder.padEnd(20)}${lines} lines, ${tokens} tokens, ${exports} exports`);
  console.log(countMachines(files));
}
