import { createRequire } from "node:module";
import { join } from "node:path";
import type { BunPlugin } from "bun";
import { BUNDLE_NAME, PROJECT } from "../../bin/bundle.js";

/**
 * Writes the program into a folder as one script with bytecode. Each package that is imported dynamically gets a script of its own,
 * because at startup the runtime reads the whole main script into memory. Returns the paths of the inputs, relative to the project's
 * root.
 */
export async function bundleProgram(
  outdir: string,
  kind: "checkout" | "package",
): Promise<readonly string[]> {
  const packages = new Map<string, string>();
  // Packages are resolved as `require` resolves them: a package may be published in both module formats, and a program that imports
  // the CommonJS format finds everything in its default export.
  const { resolve } = createRequire(import.meta.url);
  const bundle = async (source: string, name: string, plugins: BunPlugin[] = []) => {
    const { metafile } = await Bun.build({
      ...optionsFor(kind),
      entrypoints: [source],
      naming: name,
      plugins,
      outdir,
    });
    return Object.keys(metafile?.inputs ?? {});
  };
  const inputs = await bundle(join(PROJECT, "src/main.ts"), BUNDLE_NAME, [setApart(packages)]);
  for (const [specifier, name] of packages) inputs.push(...(await bundle(resolve(specifier), name)));
  return inputs;
}

/** Makes dynamic imports of packages load a script beside the program, and collects the scripts' names, keyed by import specifier. */
function setApart(packages: Map<string, string>): BunPlugin {
  return {
    name: "packages set apart",
    setup(build) {
      build.onResolve({ filter: /^(?!node:|bun:)[@a-z]/ }, ({ kind, path }) => {
        if (kind !== "dynamic-import") return undefined;
        const name = `${path.replaceAll(/[^a-z]+/g, "-").replace(/^-/, "")}.js`;
        packages.set(path, name);
        return { path: `./${name}`, external: true };
      });
    },
  };
}

function optionsFor(kind: "checkout" | "package") {
  return {
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
  } as const;
}
