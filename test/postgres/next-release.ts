import { cp, mkdtemp, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findMigrations } from "../../src/storage/migrations.ts";
import type { Program } from "../wire/process.ts";

const PROJECT = Bun.fileURLToPath(new URL("../../", import.meta.url));

/**
 * Creates a later release of petstore: a copy with one more migration. After that migration, the present program can still use the
 * store.
 */
export async function makeNextRelease(): Promise<Program> {
  const folder = await mkdtemp(join(tmpdir(), "petstore-next-"));
  for (const path of ["bin", "src", "client", "exact-json", "package.json", "bunfig.toml", "tsconfig.json"])
    await cp(PROJECT + path, join(folder, path), {
      recursive: true,
      filter: (source) => !source.includes("node_modules"),
    });
  await symlink(`${PROJECT}node_modules`, join(folder, "node_modules"));
  const last = findMigrations("postgres", "store").at(-1)?.number ?? 0;
  const name = `${String(last + 1).padStart(4, "0")}-notes.sql`;
  for (const engine of ["sqlite", "postgres"])
    await Bun.write(
      join(folder, "src/storage/migrations", engine, "store", name),
      "ALTER TABLE pet ADD COLUMN note TEXT;\n",
    );
  const table = join(folder, "src/storage/migrations.ts");
  const text = await Bun.file(table).text();
  const changed = text.replace(/\bstore: \{/, `store: { ${last + 1}: ${last},`);
  if (changed === text) throw new Error("migrations.ts has no table of the store's migrations.");
  await Bun.write(table, changed);
  return { command: [process.execPath, join(folder, "src/main.ts")], cwd: folder };
}
