import { startProcess } from "../wire/process.ts";
import { freshPostgresStore } from "../wire/stores.ts";

// A preload for a test run: it starts a PostgreSQL and a service, and lets no test begin.

await startProcess({ store: await freshPostgresStore() });
await new Promise(() => {});
