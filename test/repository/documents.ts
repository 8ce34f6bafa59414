// The documents and their fenced blocks.

export const PROJECT = Bun.fileURLToPath(new URL("../../", import.meta.url));

/** Paths of every document, from the project's root. */
export const documents: readonly string[] = [
  "*.md",
  "decisions/*.md",
  "docs/**/*.md",
  "bench/*.md",
  "client/*.md",
]
  // One pattern each: Bun's glob matches nothing for braces that contain a slash.
  .flatMap((glob) => [...new Bun.Glob(glob).scanSync({ cwd: PROJECT })])
  .sort();

/** Documents whose commands and transcripts a test of their own runs. */
export const RUN_ELSEWHERE: Readonly<Record<string, string>> = {
  "docs/guides/agents.md": "test/wire/agents-guide.test.ts",
  "docs/guides/command-line.md": "test/cli/documented.long.test.ts",
  "docs/guides/webhooks.md": "test/client/webhooks-guide.long.test.ts",
};

/** The fenced blocks of one language in a document. */
export async function blocksOf(path: string, language: string): Promise<readonly string[]> {
  return blocksIn(await Bun.file(PROJECT + path).text(), language);
}

/** The same of a text. */
export function blocksIn(text: string, language: string): readonly string[] {
  const fences = text.matchAll(/^[ \t]*```(\S*)[^\n]*\n([\s\S]*?)^[ \t]*```$/gm);
  return [...fences].filter(([, named]) => named === language).map(([, , block = ""]) => block);
}

export interface DocumentCommands {
  /** The document's path. */
  readonly path: string;
  readonly lines: readonly string[];
}

/** Every command in every document, one line each, without its comment. */
export function commandsOfDocuments(): Promise<readonly DocumentCommands[]> {
  return Promise.all(
    documents.map(async (path) => ({ path, lines: (await blocksOf(path, "sh")).flatMap(commandsIn) })),
  );
}

function commandsIn(block: string): readonly string[] {
  return block
    .replaceAll("\\\n", " ")
    .split("\n")
    .flatMap((line) => line.replace(/\s+# .*$/, "").split(" && "))
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#") && !line.startsWith("cd "));
}
