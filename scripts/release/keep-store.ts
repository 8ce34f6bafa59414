// Writes a filled store of this version for each engine, to be kept with the tests: node bin/bun.js scripts/release/keep-store.ts
// FOLDER. test/storage/released.long.test.ts checks that every later version can open it.
import { keepStores } from "../../test/storage/kept-stores.ts";

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("Name the folder to write.");
await keepStores(folder);
// The program exits explicitly, because a PostgreSQL server that it has started would keep it running.
process.exit();
