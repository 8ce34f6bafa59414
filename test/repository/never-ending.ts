import { startProcess } from "../wire/process.ts";
import { freshPostgresStore } from "../wire/stores.ts";

// A preload for a test run. It starts a PostgreSQL and a service, and keeps every test from beginning.

await startProcess({ store: await freshPostgresStore() });
await new Promise(() => {});
