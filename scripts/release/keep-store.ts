// Keeps a filled store of this version for each engine: node bin/bun.js scripts/release/keep-store.ts FOLDER. Every later program
// is tried on it by test/storage/released.long.test.ts.
import { keepStores } from "../../test/storage/kept-stores.ts";

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("Name the folder to write.");
await keepStores(folder);
// A PostgreSQL that this program started would keep the program running.
process.exit();
