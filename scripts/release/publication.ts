import { join } from "node:path";

/** The fields of `package.json` that contain the project's address. */
export interface Addresses {
  readonly repository: { readonly type: string; readonly url: string; readonly directory?: string };
  readonly homepage: string;
  readonly bugs: string;
}

/** Returns the project's address. Until the first publication, it is `https://github.com/OWNER/petstore`. */
export function addressOf({ repository }: Pick<Addresses, "repository">): string {
  return repository.url.replace(/^git\+/, "").replace(/\.git$/, "");
}

/** Returns the reasons why the content of this folder must not be published, one sentence each. */
export async function publicationRefusals(folder: string): Promise<string[]> {
  const address = addressOf(await Bun.file(join(folder, "package.json")).json());
  const hasNone = `The project has no address yet: package.json's repository is ${address}. Set it, then run: npm run docs`;
  const unpinned = (await findUnpinned(folder)).join(", ");
  const isMovable = `Pin ${unpinned} by commit or digest, as docs/contributing/releasing.md says.`;
  return [...(address.includes("/OWNER/") ? [hasNone] : []), ...(unpinned === "" ? [] : [isMovable])];
}

/** Matches a GitHub action that is named by a tag, which its owner can move to another commit. A commit has 40 hex digits. */
const ACTION = /(?<=\buses: )[\w.-]+\/[\w./-]+@(?![0-9a-f]{40}\b)\S+/g;
/** Matches a container image that is named without a digest. */
const IMAGE = /(?<=^(?:FROM| *(?:- )?(?:container|image):) )(?!scratch\b|\$|\S+@sha256:)\S+/gm;

/** Finds actions without a commit (`actions/checkout@v4`) and images without a digest, in the files for CI and for releases. */
export async function findUnpinned(folder: string): Promise<readonly string[]> {
  const workflows = new Bun.Glob(".github/workflows/*.yml").scanSync({ cwd: folder, dot: true });
  const paths = ["Dockerfile", ...[...workflows].sort()];
  const texts = await Promise.all(paths.map((path) => Bun.file(join(folder, path)).text()));
  const found = texts.flatMap((text) => [...text.matchAll(ACTION), ...text.matchAll(IMAGE)]);
  return [...new Set(found.map(([reference]) => reference))];
}
