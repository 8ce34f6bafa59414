// Writes dist/client/: the client as one ES module, and its declarations. npm runs it after an install and before a pack.
import { chmod, mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";

const PROJECT = Bun.fileURLToPath(new URL("../", import.meta.url));
const COMPILER = `${PROJECT}node_modules/typescript/bin/tsc`;
const DIST = `${PROJECT}dist/client`;

await mkdir(dirname(DIST), { recursive: true });
// Whoever imports the client meanwhile finds the last one, or this one, whole.
const draft = await mkdtemp(`${DIST}-`);
try {
  await bundle();
  // An install without the tools for development is there to serve: whoever compiles against the client has the compiler.
  if (await Bun.file(COMPILER).exists()) await declare();
  // A temporary folder is its maker's alone; what is installed is for everybody.
  await chmod(draft, 0o755);
  await rm(DIST, { recursive: true, force: true });
  await rename(draft, DIST);
} finally {
  await rm(draft, { recursive: true, force: true });
}

async function bundle(): Promise<void> {
  await Bun.build({
    entrypoints: [`${PROJECT}client/src/client.ts`],
    target: "browser",
    outdir: draft,
  });
}

/** Keeps what the published module's own declarations lead to. */
async function declare(): Promise<void> {
  const emitted = join(draft, "emitted");
  const compiler = Bun.spawn(
    [
      process.execPath,
      COMPILER,
      ...["--project", "client/tsconfig.json", "--outDir", emitted],
      ...["--noEmit", "false", "--declaration", "--emitDeclarationOnly", "--noCheck"],
    ],
    { cwd: PROJECT, stdio: ["ignore", "inherit", "inherit"] },
  );
  if ((await compiler.exited) !== 0) throw new Error("The declarations could not be written.");
  const waiting = ["client.ts"];
  for (const source of waiting) {
    const name = source.replace(/\.ts$/, ".d.ts");
    const text = await Bun.file(join(emitted, name)).text();
    const imports = [...text.matchAll(/from "\.\/([\w-]+\.ts)"/g)].map(([, to = ""]) => to);
    waiting.push(...imports.filter((to) => !waiting.includes(to)));
    // In a declaration, the name of the module that it declares is what every compiler finds.
    await Bun.write(join(draft, name), text.replaceAll(/(from "\.\/[\w-]+)\.ts"/g, '$1.js"'));
  }
  await rm(emitted, { recursive: true });
}
