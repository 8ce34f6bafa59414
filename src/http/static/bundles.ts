import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { TSCONFIG } from "../../platform/executable.ts";
import { type Asset, type Chunk, hashedAsset } from "./assets.ts";

/** The folder inside the executable that holds all bundles. */
export const EMBEDDED_BUNDLES = "bundles";

const JAVASCRIPT = "text/javascript; charset=utf-8";

/** One file that a page loads; a script may have chunks, which it loads. */
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

/** `Content-Type`, and whether files with this extension are bundled; others are served as they are, as text. */
const KINDS: Readonly<Record<string, readonly [type: string, isBundled: boolean]>> = {
  js: [JAVASCRIPT, true],
  css: ["text/css; charset=utf-8", true],
  svg: ["image/svg+xml", false],
  png: ["image/png", false],
  ico: ["image/vnd.microsoft.icon", false],
};

/** @param name its extension says what it is */
export function bundle(name: string, source: () => URL): Bundle {
  const [type, isBundled] = KINDS[name.split(".").at(-1) ?? ""] ?? ["text/plain; charset=utf-8", false];
  return { name, type, source, isBundled };
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
  const assets = Object.entries<Bundle>(bundles).map(async ([name, bundle]) => [name, await load(bundle)]);
  return Object.fromEntries(await Promise.all(assets));
}

async function load(bundle: Bundle): Promise<Asset> {
  // `buildBundle` made these files when the executable was built.
  const embedded = join(import.meta.dir, EMBEDDED_BUNDLES);
  const built = Bun.isStandaloneExecutable ? undefined : await buildBundle(bundle);
  const read = async (name: string) => built?.get(name) ?? Bun.file(join(embedded, name)).bytes();
  const bytes = await read(bundle.name);
  const chunks = bundle.type.startsWith(JAVASCRIPT) ? await readChunks(bytes, read) : [];
  return { ...hashedAsset(bundle.name, bundle.type, bytes), chunks };
}

type Bytes = Uint8Array<ArrayBuffer>;

/** The chunks that a script consists of, at once or when it needs them, each once. */
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

/** The files of a bundle by their names, made from its source: its own, and the chunks of a script. */
export async function buildBundle({ name, source, isBundled }: Bundle): Promise<ReadonlyMap<string, Bytes>> {
  const path = fileURLToPath(source());
  if (!isBundled) return new Map([[name, await Bun.file(path).bytes()]]);
  const { outputs } = await Bun.build({
    entrypoints: [path],
    target: "browser",
    minify: true,
    splitting: true,
    naming: { entry: name, chunk: name.replace(".", "-[hash].") },
    // Bun's flag for it does not count here.
    tsconfig: TSCONFIG,
    jsx: { runtime: "automatic", importSource: "preact", development: false },
  });
  const files = outputs.map(async (output): Promise<[string, Bytes]> => {
    return [output.path.replace("./", ""), new Uint8Array(await output.arrayBuffer())];
  });
  return new Map(await Promise.all(files));
}
