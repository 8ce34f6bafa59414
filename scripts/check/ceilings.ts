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
  bench: { lines: 2076, tokens: 16390, exports: 60 },
  client: { lines: 2860, tokens: 17740, exports: 163 },
  "exact-json": { lines: 425, tokens: 3180, exports: 15 },
  scripts: { lines: 3105, tokens: 27560, exports: 69 },
  src: { lines: 790, tokens: 5090, exports: 97 },
  "src/accounts": { lines: 2525, tokens: 15740, exports: 163 },
  "src/api": { lines: 575, tokens: 3750, exports: 18 },
  "src/categories": { lines: 345, tokens: 1860, exports: 21 },
  "src/cli": { lines: 5690, tokens: 42840, exports: 172 },
  "src/console": { lines: 11930, tokens: 78900, exports: 380 },
  "src/contract": { lines: 1835, tokens: 11870, exports: 88 },
  "src/delivery": { lines: 805, tokens: 6380, exports: 25 },
  "src/delivery-queue": { lines: 175, tokens: 1060, exports: 13 },
  "src/events": { lines: 845, tokens: 5940, exports: 48 },
  "src/http": { lines: 3680, tokens: 26300, exports: 155 },
  "src/keys": { lines: 925, tokens: 6000, exports: 54 },
  "src/messages": { lines: 295, tokens: 1660, exports: 18 },
  "src/orders": { lines: 280, tokens: 1860, exports: 16 },
  "src/pet-files": { lines: 930, tokens: 7030, exports: 55 },
  "src/pets": { lines: 555, tokens: 3710, exports: 32 },
  "src/platform": { lines: 750, tokens: 5280, exports: 39 },
  "src/rehearsal": { lines: 335, tokens: 2340, exports: 14 },
  "src/server": { lines: 1840, tokens: 12850, exports: 53 },
  "src/site": { lines: 3540, tokens: 20280, exports: 89 },
  "src/storage": { lines: 6740, tokens: 40030, exports: 266 },
  "src/telemetry": { lines: 895, tokens: 5950, exports: 27 },
  "src/webhooks": { lines: 1005, tokens: 6230, exports: 63 },
  test: { lines: 43780, tokens: 424000, exports: 385 },
};

/** Ceilings of components that operators and readers have to know, whatever their size. */
const MACHINES: Readonly<Record<string, number>> = {
  "files of src": 550,
  "timers and loops": 30,
  tables: 24,
  "child processes": 5,
  settings: 27,
  "Database members": 11,
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
