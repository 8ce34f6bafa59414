import { join } from "node:path";
import { BUNDLE_NAME, PROJECT } from "../../bin/bundle.js";

/** Writes the program as one script with bytecode into a folder. Returns the paths of its inputs, from the project's root. */
export async function bundleProgram(
  outdir: string,
  kind: "checkout" | "package",
): Promise<readonly string[]> {
  const { metafile } = await Bun.build({
    entrypoints: [join(PROJECT, "src/main.ts")],
    root: join(PROJECT, "src"),
    target: "bun",
    // Outside an executable, Bun reads bytecode of CommonJS only.
    format: "cjs",
    bytecode: true,
    // No source map, because Bun.serve would read it, which takes 15 ms.
    sourcemap: "none",
    metafile: true,
    define: {
      BUNDLE_KIND: JSON.stringify(kind),
      // Otherwise the bundle contains this folder's path, and cannot be moved.
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
