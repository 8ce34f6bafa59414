import { join } from "node:path";

/** The fields of `package.json` that contain the project's address. */
export interface Addresses {
  readonly repository: { readonly type: string; readonly url: string; readonly directory?: string };
  readonly homepage: string;
  readonly bugs: string;
}

/** Returns the project's address. Before the first publication, it is `https://github.com/OWNER/petstore`. */
export function addressOf({ repository }: Pick<Addresses, "repository">): string {
  return repository.url.replace(/^git\+/, "").replace(/\.git$/, "");
}

/** Returns the reasons, one sentence each, why this folder must not be published. */
export async function publicationRefusals(folder: string): Promise<string[]> {
  const address = addressOf(await Bun.file(join(folder, "package.json")).json());
  const hasNone = `The project has no address yet: package.json's repository is ${address}. Set it, then run: npm run docs`;
  const unpinned = (await findUnpinned(folder)).join(", ");
  const isMovable = `Pin ${unpinned} by commit or digest, as docs/contributing/releasing.md says.`;
  return [...(address.includes("/OWNER/") ? [hasNone] : []), ...(unpinned === "" ? [] : [isMovable])];
}

/**
 * Matches a GitHub action that is named with a tag, such as `actions/checkout@v4`. The action's owner could move the tag to another
 * commit, so a commit of 40 hexadecimal digits is required instead.
 */
const ACTION = /(?<=\buses: )[\w.-]+\/[\w./-]+@(?![0-9a-f]{40}\b)\S+/g;
/** Matches a container image without a digest. */
const IMAGE = /(?<=^(?:FROM| *(?:- )?(?:container|image):) )(?!scratch\b|\$|\S+@sha256:)\S+/gm;

/** Finds GitHub actions without a commit and container images without a digest, in the workflows and in the Dockerfile. */
export async function findUnpinned(folder: string): Promise<readonly string[]> {
  const workflows = new Bun.Glob(".github/workflows/*.yml").scanSync({ cwd: folder, dot: true });
  const paths = ["Dockerfile", ...[...workflows].sort()];
  const texts = await Promise.all(paths.map((path) => Bun.file(join(folder, path)).text()));
  const found = texts.flatMap((text) => [...text.matchAll(ACTION), ...text.matchAll(IMAGE)]);
  return [...new Set(found.map(([reference]) => reference))];
}
