import { chmod, mkdtemp, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { CONSOLE_BUNDLES } from "../../src/console/page.ts";
import { BUNDLES_FOLDER, type Bundle, buildBundle } from "../../src/http/static/bundles.ts";
import { FAVICON_BUNDLES } from "../../src/http/static/favicon.ts";
import { CLIENT_BUNDLES, REFERENCE_BUNDLES } from "../../src/site/assets.ts";
import { FILE_BUNDLES, GUIDE_BUNDLES } from "../../src/site/guides/guide-files.ts";
import { runtimeFor } from "./runtime.ts";
import type { Target } from "./targets.ts";

const PROJECT = Bun.fileURLToPath(new URL("../../", import.meta.url));
/** The bundles that the web pages load. */
export const PARTS = [
  CONSOLE_BUNDLES,
  REFERENCE_BUNDLES,
  CLIENT_BUNDLES,
  FAVICON_BUNDLES,
  GUIDE_BUNDLES,
  FILE_BUNDLES,
].flatMap((parts): readonly Bundle[] => Object.values(parts));

/**
 * Builds petstore for one platform as a single file with the runtime, the code, its source map, and the files for the web pages.
 *
 * @param file the path of the executable, whose folder must exist; the executable gets this name only when it is complete
 */
export async function buildExecutable(target: Target, file: string): Promise<void> {
  const folder = await mkdtemp(join(dirname(file), ".build-"));
  try {
    const runtime = await runtimeFor(target, folder);
    const parts = await writeParts(folder);
    // The bundler also writes the source map to this folder.
    const draft = join(folder, "petstore.exe");
    await compile(target, { runtime, parts, draft });
    await chmod(draft, 0o755);
    await rename(draft, file);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Writes the bundles for the web pages to a subfolder of `folder`, and returns the path of the subfolder. */
export async function writeParts(folder: string): Promise<string> {
  const parts = join(folder, BUNDLES_FOLDER);
  for (const part of PARTS) {
    for (const [name, bytes] of await buildBundle(part)) await Bun.write(join(parts, name), bytes);
  }
  return parts;
}

interface Pieces {
  readonly runtime: string;
  readonly parts: string;
  readonly draft: string;
}

async function compile({ compileTarget }: Target, { runtime, parts, draft }: Pieces): Promise<void> {
  await Bun.build({
    entrypoints: [join(PROJECT, "src/main.ts")],
    root: PROJECT,
    target: "bun",
    format: "esm",
    // The code is not minified, so that stack traces contain the original names.
    minify: false,
    sourcemap: "linked",
    bytecode: true,
    // The executable must not contain the path of the folder in which it was built.
    define: { __dirname: '""', __filename: '""' },
    compile: {
      target: compileTarget,
      executablePath: runtime,
      outfile: draft,
      assets: [parts, join(PROJECT, "src/storage/migrations")],
      // Files in the folder where the executable is started must not affect it.
      autoloadDotenv: false,
      autoloadBunfig: false,
      autoloadTsconfig: false,
      autoloadPackageJson: false,
    },
  });
}
