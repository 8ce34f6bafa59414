import { join } from "node:path";
import { makeKey, type Server, startServer } from "../wire/server.ts";
import { freshEmbeddedStore } from "../wire/stores.ts";
import { installClient } from "./installed.ts";
import type { Store } from "./visit.ts";

// Installs the published client and the test program visit.ts in another project.

/** The report that visit.ts must return on every runtime. */
export const REPORT = {
  animals: {
    categories: ["Cats", "Purring 🐈", 1],
    added: ["9007199254740993n", "-9223372036854775808n", "9223372036854775807n", 7, 7],
    changed: { id: true, name: 'Ré\\"x\u2028', categoryId: "-9223372036854775808n" },
    pages: [2, 2],
    awaited: [2, 2, 4],
    wanted: [2, 1],
    exact: 1,
    chosen: 2,
    one: "9007199254740993n",
  },
  orders: {
    placed: [1, "2026-01-01T12:00:00.000Z"],
    complete: [true, null, 1],
    kept: 1,
  },
  refusal: ["not_found", 404, "There is no order 1125899906842624.", true, false, [404]],
  wrong: ["PetstoreInvalidError", [{ pointer: "#/categoryId", detail: "is required" }]],
  seen: [["POST", 201, true, true], true],
  keyless: "The API key is missing. Pass createClient({ key }), or, on a server, set PETSTORE_KEY.",
  staging: 0,
  message: [true, true],
  unreachable: true,
  aborted: "AbortError",
  followed: [["9007199254740993n", "-9223372036854775808n", "9223372036854775807n"], "AbortError"],
  delivery: ["pet.created", { id: "9007199254740993n" }, true],
};

/** Creates a project with the test program visit.ts as `main.js`, and as `page.js`, which is bundled for browsers. */
export async function installVisit(): Promise<string> {
  const { project } = await installClient();
  await Bun.build({
    entrypoints: [Bun.fileURLToPath(new URL("visit.ts", import.meta.url))],
    outdir: project,
  });
  await Bun.write(
    join(project, "main.js"),
    `import * as published from "@petstore/client";
     import { visit } from "./visit.js";
     console.log(await visit(published, JSON.parse(process.argv[2])));`,
  );
  await Bun.write(
    join(project, "bundled.js"),
    `import * as published from "@petstore/client";
     import { visit } from "./visit.js";
     export const visitStore = (store) => visit(published, store);`,
  );
  const entrypoints = [join(project, "bundled.js")];
  await Bun.build({ entrypoints, outdir: project, naming: "page.js", target: "browser", minify: true });
  return project;
}

/** Creates a store and calls `happen`, which runs visit.ts on it. Returns the report of visit.ts as an object. */
export async function visitFresh(happen: (store: Store) => Promise<string>): Promise<unknown> {
  const server = await startServer({ store: await freshEmbeddedStore() });
  try {
    return JSON.parse(await happen(await storeOf(server)));
  } finally {
    await server.stop();
  }
}

async function storeOf({ store, production, staging, messages }: Server): Promise<Store> {
  const [key, stagingKey] = await Promise.all([makeKey(store), makeKey(store, { environment: "staging" })]);
  const closed = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response() });
  const nowhere = `http://localhost:${closed.port}`;
  await closed.stop();
  return { production, staging, messages, key, stagingKey, nowhere };
}
