import { startFastify } from "./fastify-app.mjs";
import { openStore } from "./pg-store.mjs";

await startFastify(openStore(process.env.DATABASE));
