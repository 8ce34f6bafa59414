import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { TSCONFIG } from "../../platform/executable.ts";
import { type Asset, hashedAsset } from "./assets.ts";

/** The folder inside the executable that holds all bundles. */
export const EMBEDDED_BUNDLES = "bundles";

/** One file that a page loads. */
export interface Bundle {
  /** Unique over all pages. */
  readonly name: string;
  /** As in `Content-Type`. */
  readonly type: string;
  /** Its file in the source tree, which the executable does not have. */
  readonly source: () => URL;
  /** Whether the file is an entry point that is bundled for browsers, or is served as it is. */
  readonly isBundled: boolean;
}

/** Loads the assets of a page at the first call, once per process: a server without browsers never builds them. */
export function loadBundles<Name extends string>(
  bundles: Readonly<Record<Name, Bundle>>,
): () => Promise<Readonly<Record<Name, Asset>>> {
  let loaded: Promise<Record<Name, Asset>> | undefined;
  return () => {
    loaded ??= loadAll(bundles).catch((error: unknown) => {
      loaded = undefined;
      throw error;
    });
    return loaded;
  };
}

async function loadAll<Name extends string>(
  bundles: Readonly<Record<Name, Bundle>>,
): Promise<Record<Name, Asset>> {
  const assets = Object.entries<Bundle>(bundles).map(async ([name, bundle]) => [
    name,
    hashedAsset(bundle.name, bundle.type, await bytesOf(bundle)),
  ]);
  return Object.fromEntries(await Promise.all(assets));
}

function bytesOf(bundle: Bundle): Promise<Uint8Array<ArrayBuffer>> {
  // `buildBundle` made these bytes when the executable was built.
  if (Bun.isStandaloneExecutable)
    return Bun.file(join(import.meta.dir, EMBEDDED_BUNDLES, bundle.name)).bytes();
  return buildBundle(bundle);
}

/** The bytes of a bundle, made from its source. */
export async function buildBundle({ name, source, isBundled }: Bundle): Promise<Uint8Array<ArrayBuffer>> {
  const path = fileURLToPath(source());
  if (!isBundled) return Bun.file(path).bytes();
  const { outputs } = await Bun.build({
    entrypoints: [path],
    target: "browser",
    minify: true,
    // Bun's flag for it does not count here.
    tsconfig: TSCONFIG,
    jsx: { runtime: "automatic", importSource: "preact", development: false },
  });
  const [output] = outputs;
  if (output === undefined) throw new Error(`The bundler has no output for ${name}.`);
  return new Uint8Array(await output.arrayBuffer());
}
