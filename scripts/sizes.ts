// `npm run lab -- sizes`: lines of files and functions, and `any` types; exits with 1 when an aim is missed.
import { readSource, type SourceFile } from "./check/source.ts";
import { type Syntax, syntaxOf } from "./check/syntax.ts";

/** Maximum lines; `p90` is the 90th percentile. */
const AIMS = { fileMedian: 80, fileP90: 220, functionMedian: 12, functionMax: 70 } as const;

/** Files longer than `fileP90`, and why they are not split. */
const REASONS: Readonly<Record<string, string>> = {
  "client/src/types.ts": "written by npm run docs: every resource and delivery of the documents",
  "src/config.ts": "every setting, with its words for the operator, stands once",
};

interface Part {
  readonly title: string;
  readonly includes: RegExp;
}

/** The aims apply to these files only. */
const SOURCE: Part = {
  title: "source",
  includes: /^((src\/.*|client\/src\/[^/]+|exact-json\/[^/]+)(?<!\.test)\.tsx?|bin\/[^/]+\.js)$/,
};
const PARTS: readonly Part[] = [
  SOURCE,
  { title: "tests", includes: /\.test\.ts$|^test\/.*\.ts$/ },
  { title: "scripts and benchmark", includes: /^(scripts\/.*|bench\/(load\/)?[^/]+)\.ts$/ },
];

interface Measured extends Syntax {
  readonly path: string;
  readonly lines: number;
}

function measure({ includes }: Part, files: readonly SourceFile[]): readonly Measured[] {
  return files
    .filter(({ path }) => includes.test(path))
    .map((file) => ({ ...syntaxOf(file), path: file.path, lines: file.text.split("\n").length - 1 }));
}

function quantile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** Missed aims, uses of `any`, files over the limit without a reason, and unneeded reasons. */
export function findSizeFaults(source: readonly SourceFile[]): readonly string[] {
  const files = measure(SOURCE, source);
  const lines = files.map((file) => file.lines);
  const functions = files.flatMap((file) => file.functions);
  const over = files.filter((file) => file.lines > AIMS.fileP90).map(({ path }) => path);
  const missed = (what: string, is: number, aim: number) =>
    is > aim ? [`${what}: ${is} lines; at most ${aim}.`] : [];
  return [
    ...missed("file median", quantile(lines, 0.5), AIMS.fileMedian),
    ...missed("file p90", quantile(lines, 0.9), AIMS.fileP90),
    ...missed("function median", quantile(functions, 0.5), AIMS.functionMedian),
    ...missed("longest function", Math.max(...functions), AIMS.functionMax),
    ...files.filter(({ anys }) => anys > 0).map(({ path }) => `${path} has any: use unknown and narrow it.`),
    ...over
      .filter((path) => REASONS[path] === undefined)
      .map((path) => `${path} is over ${AIMS.fileP90} lines: split it, or say in scripts/sizes.ts why not.`),
    ...Object.keys(REASONS)
      .filter((path) => !over.includes(path))
      .map((path) => `${path} is not over ${AIMS.fileP90} lines: delete its reason in scripts/sizes.ts.`),
  ];
}

if (import.meta.main) {
  console.log("| | files | lines | median | p90 | longest | functions | median | p90 | longest | `any` |");
  console.log("|---|---|---|---|---|---|---|---|---|---|---|");
  const source = await readSource();
  for (const part of PARTS) console.log(rowOf(part, measure(part, source)));
  for (const [path, reason] of Object.entries(REASONS)) console.log(`\n${path}: ${reason}.`);
  const faults = findSizeFaults(source);
  for (const fault of faults) console.log(`\nFAILED: ${fault}`);
  if (faults.length > 0) process.exitCode = 1;
}

function rowOf({ title }: Part, files: readonly Measured[]): string {
  const lines = files.map((file) => file.lines);
  const functions = files.flatMap((file) => file.functions);
  const spread = (sizes: readonly number[]) => [
    quantile(sizes, 0.5),
    quantile(sizes, 0.9),
    Math.max(...sizes),
  ];
  const total = (sizes: readonly number[]) => sizes.reduce((sum, size) => sum + size, 0);
  const numbers = [
    ...[files.length, total(lines), ...spread(lines)],
    ...[functions.length, ...spread(functions)],
    total(files.map(({ anys }) => anys)),
  ];
  return `| ${title} | ${numbers.map((number) => number.toLocaleString("en")).join(" | ")} |`;
}
