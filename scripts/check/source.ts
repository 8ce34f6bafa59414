// Reads the project's files for all checks of their text, each file only once.

export const PROJECT = Bun.fileURLToPath(new URL("../../", import.meta.url));

export interface SourceFile {
  /** The path from the project's folder. */
  readonly path: string;
  readonly text: string;
}

/** Reads all source files: programs, tests and SQL. */
export function readSource(): Promise<readonly SourceFile[]> {
  return readFiles([
    "{bench,bin,scripts,src,test}/**/*.{ts,tsx,js,mjs,sql}",
    "client/src/**/*.ts",
    "exact-json/*.ts",
    "examples/*.mjs",
  ]);
}

export function readStyleSheets(): Promise<readonly SourceFile[]> {
  return readFiles(["src/**/*.css"]);
}

export function readDocuments(): Promise<readonly SourceFile[]> {
  // Several patterns are needed, because Bun's glob finds nothing if there is a slash inside braces.
  return readFiles(["*.md", "{bench,client,decisions,examples}/*.md", "docs/**/*.md"]);
}

export async function readFiles(globs: readonly string[], root = PROJECT): Promise<readonly SourceFile[]> {
  const paths = globs
    .flatMap((glob) => [...new Bun.Glob(glob).scanSync({ cwd: root })])
    .filter((path) => !/\/(node_modules|generated)\//.test(path));
  return Promise.all(paths.sort().map(async (path) => ({ path, text: await Bun.file(root + path).text() })));
}

/** Returns true for a source file of the service, the client or exact-json, except tests and declaration files. */
export function isProduct({ path }: SourceFile): boolean {
  return /^((client\/)?src|exact-json)\/.*\.tsx?$/.test(path) && !/\.(test|d)\.ts$/.test(path);
}
