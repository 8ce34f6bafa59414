// How large each part may be, counted. Raising a number is a line in a diff, for a reviewer to see.
import { parse } from "@babel/parser";
import { PROJECT, type SourceFile } from "./source.ts";

interface Counts {
  readonly lines: number;
  /** Words and signs of TypeScript and JavaScript, without comments. */
  readonly tokens: number;
  readonly exports: number;
}

/** By folder, rounded up by at most one in a hundred. */
const CEILINGS: Readonly<Record<string, Counts>> = {};

/** Things that somebody has to know of to run the service, whatever their lines. */
const MACHINES: Readonly<Record<string, number>> = {};

const COUNTED = /^(src\/[^/]+\/|src|client|exact-json|test|bench|scripts)/;

/** The folder that a file is counted in: those of `src/` each for itself. */
function folderOf(path: string): string | undefined {
  return COUNTED.exec(path)?.[1]?.replace(/\/$/, "");
}

/** Also style sheets and statements, of which lines are counted alone. */
export async function readCounted(root = PROJECT): Promise<readonly SourceFile[]> {
  const glob = new Bun.Glob("{src,client,exact-json,test,bench,scripts}/**/*.{ts,tsx,js,mjs,css,sql,go}");
  const paths = [...glob.scanSync({ cwd: root })].filter(
    (path) => !/(^|\/)(node_modules|dist|generated|clients)\//.test(path),
  );
  return Promise.all(paths.sort().map(async (path) => ({ path, text: await Bun.file(root + path).text() })));
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

function countFile({ path, text }: SourceFile): Counts {
  const lines = text.split("\n").length - 1;
  if (!/\.(tsx?|m?js)$/.test(path)) return { lines, tokens: 0, exports: 0 };
  const plugins: ("typescript" | "jsx")[] = path.endsWith(".tsx") ? ["typescript", "jsx"] : ["typescript"];
  const { tokens } = parse(text, { sourceType: "module", plugins, tokens: true, errorRecovery: true });
  // A comment's type is a text, a token's is an object.
  const code = (tokens ?? []).filter(({ type }: { type: unknown }) => typeof type !== "string");
  return { lines, tokens: code.length, exports: text.match(EXPORT)?.length ?? 0 };
}

export function countMachines(files: readonly SourceFile[]): Readonly<Record<string, number>> {
  const source = files.filter(({ path }) => /^src\/.*\.(tsx?|sql)$/.test(path) && !/\.test\.ts$/.test(path));
  const count = (pattern: RegExp, path = /./) =>
    source
      .filter((file) => path.test(file.path))
      .reduce(
        (sum, { text }) => sum + (text.replaceAll(/^ *(\/\/|\*).*$/gm, "").match(pattern)?.length ?? 0),
        0,
      );
  return {
    "timers and loops": count(/\b(setInterval|setTimeout|startInterval|startSchedule)\(|clock\.wait\(/g),
    tables: count(/^CREATE TABLE /gm, /\/migrations\/sqlite\//),
    "child processes": count(/\bBun\.spawn(Sync)?\(|runOwnCommand\(/g),
    settings: count(/\bsetting\(\s*"PETSTORE_/g, /^src\/config\.ts$/),
    "Database members": membersOf(source.find(({ path }) => path === "src/storage/database.ts")?.text ?? ""),
  };
}

/** Members of the interface, which stand at its first level. */
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
