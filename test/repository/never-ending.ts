import { startProcess } from "../wire/process.ts";
import { freshPostgresStore } from "../wire/stores.ts";

// This file is preloaded by a test run. It starts PostgreSQL and a service, and then keeps every test from beginning.

await startProcess({ store: await freshPostgresStore() });
await new Promise(() => {});
