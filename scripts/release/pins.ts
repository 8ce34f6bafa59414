import { join } from "node:path";

/** An action that is named by a tag, which its owner can move; a commit has 40 hex digits. */
export const ACTION = /(?<=\buses: )[\w.-]+\/[\w./-]+@(?![0-9a-f]{40}\b)\S+/g;
/** An image that is named without a digest. */
export const IMAGE = /(?<=^(?:FROM| *(?:- )?(?:container|image):) )(?!scratch\b|\$|\S+@sha256:)\S+/gm;

/** Paths of the files that name actions and images: those of CI and of releases. */
export function pinnedFiles(folder: string): readonly string[] {
  const workflows = new Bun.Glob(".github/workflows/*.yml").scanSync({ cwd: folder, dot: true });
  return ["Dockerfile", ...[...workflows].sort()];
}

/** Actions without a commit and images without a digest: `actions/checkout@v4`. */
export async function findUnpinned(folder: string): Promise<readonly string[]> {
  const texts = await Promise.all(pinnedFiles(folder).map((path) => Bun.file(join(folder, path)).text()));
  const found = texts.flatMap((text) => [...text.matchAll(ACTION), ...text.matchAll(IMAGE)]);
  return [...new Set(found.map(([reference]) => reference))];
}
