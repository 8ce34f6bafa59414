// `npm run check` checks the format, lint, types, generated files, the OpenAPI documents (with Redocly), unused files and exports,
// and the rules in scripts/check/ for the text of source files and documents. It uses at most 20 seconds of CPU time, and starts no
// server.
import { findBaselineFaults, readReleased } from "./check/baselines.ts";
import { findBoundaryFaults } from "./check/boundaries.ts";
import { findCommentFaults } from "./check/comments.ts";
import { findSharedNumbers } from "./check/decision-numbers.ts";
import { findLinkFaults } from "./check/links.ts";
import { readDocuments, readSource, readStyleSheets } from "./check/source.ts";
import { findStatementFaults } from "./check/statements.ts";
import { findTimerFaults } from "./check/timers.ts";

interface Check {
  readonly title: string;
  readonly command: readonly string[];
  /** Returns true if the output of a check means that it has passed. In addition, its exit code must be 0. */
  readonly accepts?: (output: string) => boolean;
}

// With several threads, the compiler would check many types more than once, and take twice the CPU time.
const TSC = [program("tsc"), "--singleThreaded"];
const DOCUMENTS = ["petstore.json", "messages.json", "petstore.arazzo.yaml"];

const checks: readonly Check[] = [
  { title: "format and lint", command: [program("biome"), "check", "--error-on-warnings", "."] },
  { title: "types", command: TSC },
  { title: "types of the pages", command: [...TSC, "--project", "tsconfig.web.json"] },
  { title: "types of the client", command: [...TSC, "--project", "client/tsconfig.json"] },
  { title: "unused files, exports and packages", command: [program("knip"), "--no-progress"] },
  { title: "document drift", command: [process.execPath, "scripts/openapi.ts", "--check"] },
  { title: "client types drift", command: [process.execPath, "scripts/client-types.ts", "--check"] },
  { title: "drift of the guides' tables", command: [process.execPath, "scripts/guide-tables.ts", "--check"] },
  { title: "drift of the addresses", command: [process.execPath, "scripts/addresses.ts", "--check"] },
  {
    title: `lint of ${DOCUMENTS.join(", ")}`,
    command: [
      ...[program("redocly"), "lint", "--format=json"],
      ...DOCUMENTS.map((document) => `openapi/${document}`),
    ],
    accepts: hasNoProblems,
  },
];

const results = await Promise.all([...checks.map(run), checkText()]);
if (results.includes(false)) process.exitCode = 1;

function program(name: string): string {
  return Bun.fileURLToPath(new URL(`../node_modules/.bin/${name}`, import.meta.url));
}

async function run({ title, command, accepts = () => true }: Check): Promise<boolean> {
  const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
  const child = Bun.spawn([...command], { env, stdout: "pipe", stderr: "pipe" });
  const [output, errors, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return say(title, code === 0 && accepts(output) ? [] : [output + errors]);
}

/**
 * Returns true if redocly has reported no problems. redocly exits with 0 even if there are warnings. Its output has one JSON value
 * for each document.
 */
function hasNoProblems(output: string): boolean {
  const reports: { totals: Record<string, number> }[] = JSON.parse(
    `[${output.replaceAll("\n}{\n", "\n},{\n")}]`,
  );
  const isClean = reports.every(({ totals }) => Object.values(totals).every((total) => total === 0));
  return isClean && reports.length === DOCUMENTS.length;
}

async function checkText(): Promise<boolean> {
  const [source, documents, styles, released] = await Promise.all([
    readSource(),
    readDocuments(),
    readStyleSheets(),
    readReleased(),
  ]);
  const faults = {
    boundaries: findBoundaryFaults(source),
    "changes, audit and limits of statements": findStatementFaults(source),
    timers: findTimerFaults(source),
    "beginnings of comments": findCommentFaults([...source, ...styles]),
    "baselines and released migrations": findBaselineFaults(source, released),
    "links and names in documents": findLinkFaults(documents, source),
    "numbers of decisions": findSharedNumbers(documents),
  };
  return Object.entries(faults)
    .map(([title, found]) => say(title, found))
    .every(Boolean);
}

function say(title: string, faults: readonly string[]): boolean {
  const isClean = faults.length === 0;
  console.log([`${isClean ? "ok  " : "FAIL"}  ${title}`, ...faults].join("\n"));
  return isClean;
}
