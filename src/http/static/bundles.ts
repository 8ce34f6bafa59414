import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Asset, hashedAsset } from "./assets.ts";

/** The folder inside the executable where the bytes of all parts are. */
export const EMBEDDED_BUNDLES = "page-parts";

/** One file that a page loads. */
export interface Bundle {
  /** Unlike that of any other part, of any page. */
  readonly name: string;
  /** As in `Content-Type`. */
  readonly type: string;
  /** Where it lies in the source, for whoever has the source: the executable has not. */
  readonly source: () => URL;
  /** Whether that is an entry point, to be bundled for browsers, rather than the file itself. */
  readonly isBundled: boolean;
}

/**
 * The assets that a page is made of, under the names of its parts. They are loaded at the first call, once per process: a
 * server that nobody opens in a browser never pays for them.
 */
export function loadBundles<Name extends string>(
  parts: Readonly<Record<Name, Bundle>>,
): () => Promise<Readonly<Record<Name, Asset>>> {
  let loaded: Promise<Record<Name, Asset>> | undefined;
  return () => {
    loaded ??= loadAll(parts).catch((error: unknown) => {
      loaded = undefined;
      throw error;
    });
    return loaded;
  };
}

async function loadAll<Name extends string>(
  parts: Readonly<Record<Name, Bundle>>,
): Promise<Record<Name, Asset>> {
  const assets = Object.entries<Bundle>(parts).map(async ([name, part]) => [
    name,
    hashedAsset(part.name, part.type, await bytesOf(part)),
  ]);
  return Object.fromEntries(await Promise.all(assets));
}

function bytesOf(part: Bundle): Promise<Uint8Array<ArrayBuffer>> {
  // There it is what `makePart` gave when the executable was built.
  if (Bun.isStandaloneExecutable) return Bun.file(join(import.meta.dir, EMBEDDED_BUNDLES, part.name)).bytes();
  return makePart(part);
}

/** The bytes of a part, made from its source. */
export async function makePart({ name, source, isBundled }: Bundle): Promise<Uint8Array<ArrayBuffer>> {
  const path = fileURLToPath(source());
  if (!isBundled) return Bun.file(path).bytes();
  const { outputs } = await Bun.build({
    entrypoints: [path],
    target: "browser",
    minify: true,
    jsx: { runtime: "automatic", importSource: "preact", development: false },
  });
  const [output] = outputs;
  if (output === undefined) throw new Error(`${name} has come to nothing.`);
  return new Uint8Array(await output.arrayBuffer());
}
