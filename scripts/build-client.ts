// Bundles petstore's API client as one ES module with type declarations in client/dist/. npm runs this script after an install and
// before it packs.
import { chmod, mkdtemp, rename, rm } from "node:fs/promises";
import { basename, join } from "node:path";

// The bundler writes paths into the module that are relative to the current folder. The folder is fixed, so that the module is the
// same wherever npm runs this script.
process.chdir(Bun.fileURLToPath(new URL("../", import.meta.url)));
const COMPILER = "node_modules/typescript/bin/tsc";
const DIST = "client/dist";
/** Matches an import of another file of the client, or of exact-json. Both become part of the client's bundle. */
const IMPORT = /from "(?:\.\/([\w-]+)\.ts|exact-json\/([\w-]+))"/g;

// `npm ci --omit=dev` installs no TypeScript compiler. The client is then built without type declarations, but cannot be packed.
const hasCompiler = await Bun.file(COMPILER).exists();
if (!hasCompiler && process.argv.includes("--with-declarations")) {
  console.error("The client's declarations need the TypeScript compiler. Run: npm ci");
  process.exit(1);
}
// The new folder gets its final name only when it is complete, so that a program that imports the client during the build never
// sees an unfinished file.
const draft = await mkdtemp(`${DIST}-`);
try {
  await bundle();
  if (hasCompiler) await declare();
  // mkdtemp creates a folder that only its owner can read, so the permissions are extended.
  await chmod(draft, 0o755);
  await rm(DIST, { recursive: true, force: true });
  await rename(draft, DIST);
} finally {
  await rm(draft, { recursive: true, force: true });
}

/** Bundles the client without shortening lines and names, because Node prints the source line of an uncaught error. */
async function bundle(): Promise<void> {
  await Bun.build({
    entrypoints: ["client/src/client.ts"],
    target: "browser",
    minify: { syntax: true },
    outdir: draft,
  });
}

/** Writes the type declarations of the client's main module, and of all modules that it imports. */
async function declare(): Promise<void> {
  const emitted = join(draft, "emitted");
  const compiler = Bun.spawn(
    [
      process.execPath,
      COMPILER,
      ...["--project", "client/tsconfig.json", "--outDir", emitted],
      ...["--noEmit", "false", "--declaration", "--emitDeclarationOnly", "--noCheck"],
    ],
    { stdio: ["ignore", "inherit", "inherit"] },
  );
  if ((await compiler.exited) !== 0)
    throw new Error("tsc could not write the client's declarations; its output is above.");
  const pending = ["client/src/client"];
  for (const source of pending) {
    const text = await Bun.file(join(emitted, `${source}.d.ts`)).text();
    const imports = [...text.matchAll(IMPORT)].map(([, ours, exact]) =>
      exact === undefined ? `client/src/${ours}` : `exact-json/${exact}`,
    );
    pending.push(...imports.filter((to) => !pending.includes(to)));
    // An import of "x.js" finds the declarations in x.d.ts. An import of "x.ts" would require a compiler option in each project
    // that uses the client.
    await Bun.write(join(draft, `${basename(source)}.d.ts`), text.replaceAll(IMPORT, 'from "./$1$2.js"'));
  }
  await rm(emitted, { recursive: true });
}
