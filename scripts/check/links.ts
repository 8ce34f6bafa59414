// Checks the project's documents: the targets of their links, and the files that they name, must exist.
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { PROJECT, type SourceFile } from "./source.ts";

const NAMED = /`((?:src|client|test|scripts|bin|openapi|decisions|docs|deploy|bench)\/[\w./-]+)`/g;

export function findLinkFaults(
  documents: readonly SourceFile[],
  files: readonly SourceFile[],
): readonly string[] {
  const texts = new Map(documents.map(({ path, text }) => [path, text]));
  const { "ARCHITECTURE.md": architecture = "", "SECURITY.md": security = "" } = Object.fromEntries(texts);
  return [
    ...documents.flatMap((document) => faultsOf(document, texts)),
    ...listingFaults(architecture, files),
    ...unknownFiles(architecture, files),
    ...securityFaults(security),
  ];
}

function faultsOf({ path, text }: SourceFile, texts: ReadonlyMap<string, string>): readonly string[] {
  const links = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, to = ""]) =>
    join(dirname(path), to),
  );
  const named = [...text.matchAll(NAMED)].map(([, to = ""]) => to);
  const headings = [...text.matchAll(/\]\((?!https?:)([^)#]*)#([^)]+)\)/g)].map(
    ([, to = "", heading = ""]) => ({
      to: to === "" ? path : join(dirname(path), to),
      heading,
    }),
  );
  return [
    ...[...links, ...named]
      .filter((to) => !existsSync(PROJECT + to))
      .map((to) => `${path} names ${to}, which does not exist.`),
    ...headings
      .filter(({ to, heading }) => !headingsOf(texts.get(to) ?? "").includes(heading))
      .map(({ to, heading }) => `${path} links to #${heading}, which is no heading of ${to}.`),
  ];
}

/** Returns the anchors of a document's headings. For example, the anchor of "The first minute" is `the-first-minute`. */
function headingsOf(text: string): readonly string[] {
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, "")
      .replaceAll(/\s/g, "-"),
  );
}

/** Finds differences between the list of files in ARCHITECTURE.md and the files in `src/`. */
function listingFaults(text: string, files: readonly SourceFile[]): readonly string[] {
  const listing = text.split("```").find((block) => block.includes("\nsrc/\n")) ?? "";
  const listed = [...listing.matchAll(/^ {2}((?:[\w-]+[/.]\S* ?)+)/gm)].flatMap(([, names = ""]) =>
    names.trim().split(" "),
  );
  const found = new Set(
    files.flatMap(({ path }) => /^src\/([^/]+(?:\/|(?<!\.test)\.ts$))/.exec(path)?.[1] ?? []),
  );
  return [
    ...[...found]
      .filter((name) => !listed.includes(name))
      .map((name) => `ARCHITECTURE.md does not list src/${name}.`),
    ...listed
      .filter((name) => !found.has(name))
      .map((name) => `ARCHITECTURE.md lists src/${name}, which does not exist.`),
  ];
}

/** Finds file names in ARCHITECTURE.md that belong to no file of the project. */
function unknownFiles(text: string, files: readonly SourceFile[]): readonly string[] {
  return [...text.matchAll(/`([\w-]+(?:\/[\w.-]+)*\.(?:ts|tsx|js))`/g)]
    .filter(([, name]) => !files.some(({ path }) => `/${path}`.endsWith(`/${name}`)))
    .map(([, name]) => `ARCHITECTURE.md names ${name}, which does not exist.`);
}

/** Checks that SECURITY.md covers the OWASP API Security Top 10 of 2023 in their order, and that each row names its tests. */
function securityFaults(text: string): readonly string[] {
  const rows = text.split("\n").filter((line) => /^\| (?!risk|threat|---)/.test(line));
  const risks = rows.flatMap((row) => /^\| API(\d+) /.exec(row)?.[1] ?? []).join();
  return [
    ...(risks === "1,2,3,4,5,6,7,8,9,10"
      ? []
      : [`SECURITY.md answers the risks ${risks}, not API1 to API10.`]),
    ...rows
      .filter((row) => !/`[\w./-]+\.test\.ts`/.test(row))
      .map((row) => `SECURITY.md: name the test that holds: ${row.slice(0, 80)}`),
  ];
}
