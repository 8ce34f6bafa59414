import { openStore } from "./better-sqlite3-store.mjs";
import { startFastify } from "./fastify-app.mjs";

await startFastify(openStore(process.env.DATABASE));
