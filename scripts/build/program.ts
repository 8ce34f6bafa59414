import { join } from "node:path";
import { BUNDLE_NAME, PROJECT } from "../../bin/bundle.js";

/**
 * Writes the program into a folder as one script with bytecode. Returns the paths of its inputs, relative to the project's root.
 */
export async function bundleProgram(
  outdir: string,
  kind: "checkout" | "package",
): Promise<readonly string[]> {
  const { metafile } = await Bun.build({
    entrypoints: [join(PROJECT, "src/main.ts")],
    root: join(PROJECT, "src"),
    target: "bun",
    // Outside an executable, Bun reads bytecode only for CommonJS modules.
    format: "cjs",
    bytecode: true,
    // There is no source map, because Bun.serve would read it, which takes 15 ms.
    sourcemap: "none",
    metafile: true,
    define: {
      BUNDLE_KIND: JSON.stringify(kind),
      // Without these definitions, the bundle would contain this folder's path, and could not be moved.
      "import.meta.dir": '""',
      "import.meta.url": '""',
      __dirname: '""',
      __filename: '""',
    },
    naming: BUNDLE_NAME,
    outdir,
  });
  return Object.keys(metafile?.inputs ?? {});
}
