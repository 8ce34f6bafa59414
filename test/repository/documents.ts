import { readDocuments } from "../../scripts/check/source.ts";

export const PROJECT = Bun.fileURLToPath(new URL("../../", import.meta.url));

/** Documents whose commands and transcripts are run by a separate test. */
export const RUN_ELSEWHERE: Readonly<Record<string, string>> = {
  "docs/guides/agents.md": "test/wire/agents-guide.test.ts",
  "docs/guides/command-line.md": "test/cli/documented.long.test.ts",
  "docs/guides/run.md": "test/release/archive.long.test.ts",
  "docs/guides/webhooks.md": "test/client/webhooks-guide.long.test.ts",
  "examples/README.md": "test/client/examples.long.test.ts",
};

/** Documents whose example programs are run by a separate test, keyed by the language of the code block. */
export const PROGRAMS_RUN_ELSEWHERE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "client/README.md": {
    ts: "test/client/documents.long.test.ts",
    html: "test/client/documents.long.test.ts",
  },
  "docs/guides/webhooks.md": {
    python: "test/client/webhooks-guide.long.test.ts",
    ts: "test/client/webhook-receivers.long.test.ts",
    go: "test/client/webhook-receivers.long.test.ts",
  },
};

export interface Block {
  readonly language: string;
  readonly text: string;
  /** The reason why no test runs the code block, from the comment `<!-- not run: REASON -->` above it. */
  readonly notRun: string | undefined;
}

export function fencesIn(text: string): readonly Block[] {
  const fences = text.matchAll(
    /(?:^[ \t]*<!-- not run: ([^\n]+) -->\n\n?)?^[ \t]*```(\S*)[^\n]*\n([\s\S]*?)^[ \t]*```$/gm,
  );
  return [...fences].map(([, notRun, language = "", block = ""]) => ({ language, text: block, notRun }));
}

export async function blocksOf(path: string, language: string): Promise<readonly string[]> {
  return blocksIn(await Bun.file(PROJECT + path).text(), language);
}

export function blocksIn(text: string, language: string): readonly string[] {
  return fencesIn(text)
    .filter((block) => block.language === language)
    .map((block) => block.text);
}

export interface DocumentCommands {
  readonly path: string;
  readonly lines: readonly string[];
}

/** Returns every command that can be run, from all documents, one line each and without comments. */
export async function commandsOfDocuments(): Promise<readonly DocumentCommands[]> {
  return (await readDocuments()).map(({ path, text }) => {
    const run = fencesIn(text).filter(({ language, notRun }) => language === "sh" && notRun === undefined);
    return { path, lines: run.flatMap((block) => commandsIn(block.text)) };
  });
}

function commandsIn(block: string): readonly string[] {
  return block
    .replaceAll("\\\n", " ")
    .split("\n")
    .flatMap((line) => line.replace(/\s+# .*$/, "").split(" && "))
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#") && !line.startsWith("cd "));
}
