import { join } from "node:path";
import { BUILT_FILES, inProject, TSCONFIG } from "../../platform/executable.ts";
import { type Asset, type Chunk, hashedAsset } from "./assets.ts";

/** Folder of all bundles in the executable and in the npm package. */
export const BUNDLES_FOLDER = "bundles";

const JAVASCRIPT = "text/javascript; charset=utf-8";

/** A file that a page loads. A script may be split into several files, which are called chunks. */
export interface Bundle {
  /** Name of the bundle's file, unique across pages. */
  readonly name: string;
  readonly type: string;
  /**
   * Path of the bundle's source file, relative to the project's root. The executable and the npm package do not contain the
   * source file.
   */
  readonly source: string;
  /** True for an entry point that is bundled for browsers; false for a file that is served unchanged. */
  readonly isBundled: boolean;
}

/**
 * The `Content-Type` for each file extension, and whether such files are bundled. Files with any other extension are served
 * unchanged, as text.
 */
const KINDS: Readonly<Record<string, readonly [type: string, isBundled: boolean]>> = {
  js: [JAVASCRIPT, true],
  css: ["text/css; charset=utf-8", true],
  svg: ["image/svg+xml", false],
  png: ["image/png", false],
  ico: ["image/vnd.microsoft.icon", false],
};

/** Declares a bundle. The extension of its name decides its type. */
export function bundle(name: string, source: string): Bundle {
  const [type, isBundled] = KINDS[name.split(".").at(-1) ?? ""] ?? ["text/plain; charset=utf-8", false];
  return { name, type, source, isBundled };
}

/**
 * Returns a function that loads the assets of a page. They are loaded at the first call and then kept, so a server that no
 * browser uses never builds them.
 */
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
  const assets = Object.entries<Bundle>(bundles).map(async ([name, bundle]) => [name, await load(bundle)]);
  return Object.fromEntries(await Promise.all(assets));
}

async function load(bundle: Bundle): Promise<Asset> {
  const built = BUILT_FILES === undefined ? await buildBundle(bundle) : undefined;
  const folder = join(BUILT_FILES ?? "", BUNDLES_FOLDER);
  const read = async (name: string) => built?.get(name) ?? Bun.file(join(folder, name)).bytes();
  const bytes = await read(bundle.name);
  const chunks = bundle.type.startsWith(JAVASCRIPT) ? await readChunks(bytes, read) : [];
  return { ...hashedAsset(bundle.name, bundle.type, bytes), chunks };
}

type Bytes = Uint8Array<ArrayBuffer>;

/** Collects all chunks that a script imports, statically or dynamically, each of them once. */
async function readChunks(entry: Bytes, read: (name: string) => Promise<Bytes>): Promise<readonly Chunk[]> {
  const chunks = new Map<string, Chunk>();
  async function follow(bytes: Bytes, isFromStart: boolean) {
    for (const { path, kind } of new Bun.Transpiler({ loader: "js" }).scanImports(bytes)) {
      const name = path.replace("./", "");
      const isAtStart = isFromStart && kind === "import-statement";
      const known = chunks.get(name);
      if (known !== undefined && (known.isAtStart || !isAtStart)) continue;
      const chunk = known?.bytes ?? (await read(name));
      chunks.set(name, { name, type: JAVASCRIPT, bytes: chunk, isAtStart });
      await follow(chunk, isAtStart);
    }
  }
  await follow(entry, true);
  return [...chunks.values()];
}

/** Builds a bundle from its source. Returns the bundle's file and, for a script, the files of its chunks, keyed by name. */
export async function buildBundle({ name, source, isBundled }: Bundle): Promise<ReadonlyMap<string, Bytes>> {
  const path = inProject(source);
  if (!isBundled) return new Map([[name, await Bun.file(path).bytes()]]);
  const { outputs } = await Bun.build({
    entrypoints: [path],
    // With the target `browser`, Bun would add copies of many CSS rules for browsers of 2020. Such browsers cannot run the pages'
    // scripts anyway.
    target: name.endsWith(".css") ? "bun" : "browser",
    minify: true,
    splitting: true,
    naming: { entry: name, chunk: name.replace(".", "-[hash].") },
    // Bun's bundler ignores the command-line flag for `tsconfig`, so `tsconfig` is set here, too.
    tsconfig: TSCONFIG,
    jsx: { runtime: "automatic", importSource: "preact", development: false },
  });
  const files = outputs.map(async (output): Promise<[string, Bytes]> => {
    return [output.path.replace("./", ""), new Uint8Array(await output.arrayBuffer())];
  });
  return new Map(await Promise.all(files));
}
