// Writes client/dist/, which contains the client as one ES module, and its type declarations. npm runs this after an install and
// before a pack.
import { chmod, mkdtemp, rename, rm } from "node:fs/promises";
import { basename, join } from "node:path";

// The bundler writes paths relative to the current folder into the module. With a fixed folder, the bytes are the same wherever npm
// runs this.
process.chdir(Bun.fileURLToPath(new URL("../", import.meta.url)));
const COMPILER = "node_modules/typescript/bin/tsc";
const DIST = "client/dist";
/** Matches an import of a client file or of exact-json, both of which are bundled. */
const IMPORT = /from "(?:\.\/([\w-]+)\.ts|exact-json\/([\w-]+))"/g;

// `npm ci --omit=dev` does not install the compiler, and the module is then built without declarations. Packing requires them.
const hasCompiler = await Bun.file(COMPILER).exists();
if (!hasCompiler && process.argv.includes("--with-declarations")) {
  console.error("The client's declarations need the TypeScript compiler. Run: npm ci");
  process.exit(1);
}
// The folder is renamed into place when it is complete, so that a program that imports the client during a build never sees a
// half-written file.
const draft = await mkdtemp(`${DIST}-`);
try {
  await bundle();
  if (hasCompiler) await declare();
  // The folder that mkdtemp makes can be read only by its owner, so its permissions are widened.
  await chmod(draft, 0o755);
  await rm(DIST, { recursive: true, force: true });
  await rename(draft, DIST);
} finally {
  await rm(draft, { recursive: true, force: true });
}

/** Bundles the client, and keeps its lines and names, because Node prints the source line of an uncaught error. */
async function bundle(): Promise<void> {
  await Bun.build({
    entrypoints: ["client/src/client.ts"],
    target: "browser",
    minify: { syntax: true },
    outdir: draft,
  });
}

/** Writes the type declarations of the entry module, and of all modules that it imports. */
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
    // The declarations import "x.js", which every module resolution mode resolves to x.d.ts. "x.ts" would need a compiler option in
    // the project that imports the client.
    await Bun.write(join(draft, `${basename(source)}.d.ts`), text.replaceAll(IMPORT, 'from "./$1$2.js"'));
  }
  await rm(emitted, { recursive: true });
}
