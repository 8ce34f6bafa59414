import { startProcess } from "../wire/process.ts";
import { freshPostgresStore } from "../wire/stores.ts";

// A test run preloads this file, which starts PostgreSQL and a service, and then keeps every test from beginning.

await startProcess({ store: await freshPostgresStore() });
await new Promise(() => {});
