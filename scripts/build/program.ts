import { createRequire } from "node:module";
import { join } from "node:path";
import type { BunPlugin } from "bun";
import { BUNDLE_NAME, PROJECT } from "../../bin/bundle.js";

/**
 * Writes petstore to a folder as one script with bytecode. Each npm package that is imported dynamically becomes a separate script,
 * because Bun reads the whole main script into memory at the start. Returns the paths of all files that were bundled, relative to
 * the project.
 */
export async function bundleProgram(
  outdir: string,
  kind: "checkout" | "package",
): Promise<readonly string[]> {
  const packages = new Map<string, string>();
  // Finds npm packages in the same way as `require`. If a package is published in both module formats, `require` finds the CommonJS
  // format, which has everything in its default export.
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

/**
 * Redirects each dynamic import of an npm package to a separate script next to the program. Collects the names of these scripts,
 * keyed by the name in the import.
 */
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
    // Bun reads bytecode only for CommonJS modules, except in an executable.
    format: "cjs",
    bytecode: true,
    // A source map would make the start 15 ms slower, because Bun.serve would read it.
    sourcemap: "none",
    metafile: true,
    define: {
      BUNDLE_KIND: JSON.stringify(kind),
      // With the paths of this folder in it, the bundle would not work in another folder.
      "import.meta.dir": '""',
      "import.meta.url": '""',
      __dirname: '""',
      __filename: '""',
    },
  } as const;
}
