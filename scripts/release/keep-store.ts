// Writes a filled store of this version, for SQLite and for PostgreSQL: node bin/bun.js scripts/release/keep-store.ts FOLDER.
// test/storage/released.long.test.ts checks that every later version can open it.
import { keepStores } from "../../test/storage/kept-stores.ts";

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("Name the folder to write.");
await keepStores(folder);
// Exits explicitly, because the PostgreSQL server that was started would keep the program running.
process.exit();
