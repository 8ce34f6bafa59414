import { join } from "node:path";
import { findUnpinned } from "./pins.ts";

/** Fields of `package.json` about the project's address. */
export interface Addresses {
  readonly repository: { readonly type: string; readonly url: string; readonly directory?: string };
  readonly homepage: string;
  readonly bugs: string;
}

/** The project's address: `https://github.com/OWNER/petstore` until the first publication. */
export function addressOf({ repository }: Pick<Addresses, "repository">): string {
  return repository.url.replace(/^git\+/, "").replace(/\.git$/, "");
}

/** Reasons not to publish what is in this folder, one sentence each. */
export async function publicationRefusals(folder: string): Promise<string[]> {
  const address = addressOf(await Bun.file(join(folder, "package.json")).json());
  const hasNone = `The project has no address yet: package.json's repository is ${address}. Set it, then run: npm run docs`;
  const unpinned = (await findUnpinned(folder)).join(", ");
  const isMovable = `Pin ${unpinned} by commit or digest, where there is a network: npm run lab -- pin`;
  return [...(address.includes("/OWNER/") ? [hasNone] : []), ...(unpinned === "" ? [] : [isMovable])];
}
