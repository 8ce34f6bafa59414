// `npm run lab -- generators` checks the OpenAPI document of each service with Spectral. It also generates clients from
// openapi/petstore.json, checks their types and runs them against the service. The known faults of the generated clients are
// recorded in this file and in docs/guides/first-call.md. The program therefore also fails if one of these faults no longer occurs.
// The last line is `N passed, N failed`.
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { documentRenderer, stagingDocument } from "../../../src/api/openapi-documents.ts";
import { outcomeOf } from "../../wire/process.ts";
import { send } from "../../wire/send.ts";
import { makeKey, startServer } from "../../wire/server.ts";
import { freshEmbeddedStore } from "../../wire/stores.ts";
import { printCounts, step } from "../steps.ts";
import type { Findings, Target } from "./clients/findings.ts";

const HERE = Bun.fileURLToPath(new URL("./", import.meta.url));
const PRODUCTION = "http://localhost:8080/v1";
const BEYOND = "9007199254740993";
const ROUNDED = "9007199254740992";

/** The results that all generated clients must give. */
const COMMON = {
  error: "not_found: There is no animal 999999.",
  firstEvent: "pet.created",
  hasNextLink: true,
};
/**
 * The expected results, keyed by generated client: the status of the response that creates an animal, the number of animals in a
 * list that is filtered by two identifiers, and a category number as the client reads it and as the service stores it.
 */
const EXPECTED: Readonly<Record<string, Expected>> = {
  "openapi-fetch": { created: 201, listedByIds: 2, read: ROUNDED, stored: ROUNDED },
  "openapi-fetch-exact": { created: 201, listedByIds: 2, read: BEYOND, stored: BEYOND },
  orval: { created: 201, listedByIds: 2, read: ROUNDED, stored: ROUNDED },
  "swagger-typescript-api": { created: 201, listedByIds: 2, read: ROUNDED, stored: ROUNDED },
  "hey-api": { created: 201, listedByIds: 2, read: ROUNDED, stored: ROUNDED },
  "hey-api-bigint": { created: 400, listedByIds: 1, read: ROUNDED, stored: "invalid_body" },
  "hey-api-exact": { created: 201, listedByIds: 2, read: BEYOND, stored: BEYOND },
};

interface Expected extends Pick<Findings, "created" | "listedByIds" | "read"> {
  readonly stored: string;
}

interface Client {
  tryOut(target: Target, exactPet: number): Promise<Findings>;
}

await rm(join(HERE, "generated"), { recursive: true, force: true });
await mkdir(join(HERE, "generated"));
const staging = join(HERE, "generated/staging.json");
await Bun.write(staging, documentRenderer(stagingDocument, "staging", () => PRODUCTION)(PRODUCTION));
await step("linted", () =>
  runNode("lint.mjs", "../../../openapi/petstore.json", "../../../openapi/messages.json", staging),
);
await step("converted to OpenAPI 3.0.3", convert);
await step("generated", () => runNode("generate.mjs"));
await step("type-checked", () => runNode("node_modules/typescript/bin/tsc", "--project", "."));
await step("the deprecated operation is marked, and no other", expectDeprecation);
const store = await freshEmbeddedStore();
const server = await startServer({ store });
const key = await makeKey(store);
try {
  for (const [name, expected] of Object.entries(EXPECTED)) await step(name, () => tryClient(name, expected));
} finally {
  await server.stop();
  await rm(store.dataDir, { recursive: true });
}
printCounts();

/** Runs a script with Node, because the client generators do not support Bun. */
async function runNode(...args: readonly string[]): Promise<void> {
  const child = Bun.spawn(["node", ...args], {
    cwd: HERE,
    stdin: new Blob([]),
    stdout: "pipe",
    stderr: "pipe",
  });
  const { code, out, err } = await outcomeOf(child);
  if (code !== 0) throw new Error(out + err);
}

/** Converts the OpenAPI documents to OpenAPI 3.0. They must still be valid, because some tools support only 3.0. */
async function convert(): Promise<void> {
  for (const name of ["petstore", "messages"]) {
    const converted = join(HERE, "generated", `${name}-3.0.json`);
    const paths = ["--input", `../../../openapi/${name}.json`, "--output", converted];
    await runNode("node_modules/.bin/openapi-down-convert", "--allOf", ...paths);
    await runNode("../../../node_modules/.bin/redocly", "lint", converted, "--extends=spec");
  }
}

async function expectDeprecation(): Promise<void> {
  for (const path of ["openapi-typescript.ts", "hey-api/sdk.gen.ts"]) {
    const text = await Bun.file(join(HERE, "generated", path)).text();
    const marked = [...text.matchAll(/@deprecated[\s\S]*?\*\/\s*(.*)/g)].map(([, line = ""]) => line);
    const isRight = marked.length === 1 && marked[0]?.includes("getPet");
    if (!isRight) throw new Error(`${path} marks: ${marked.join("; ")}`);
  }
}

async function tryClient(name: string, expected: Expected): Promise<void> {
  const body = `{"name":"Exact","categoryId":${BEYOND}}`;
  const { id } = (await send("POST", `${server.production}/pets`, { key, body })).json;
  const client: Client = await import(join(HERE, "clients", `${name}.ts`));
  const { sent, ...findings } = await client.tryOut({ baseUrl: server.production, key }, id);
  const stored = typeof sent === "number" ? await storedCategory(sent) : String(sent);
  const wanted = JSON.stringify({ ...COMMON, ...expected }, Object.keys({ ...COMMON, ...expected }).sort());
  const found = JSON.stringify({ ...findings, stored }, Object.keys({ ...findings, stored }).sort());
  if (found !== wanted) throw new Error(`expected ${wanted}, found ${found}`);
}

/** Returns the category number that the service has stored for an animal, with all digits. */
async function storedCategory(id: number): Promise<string> {
  const { body } = await send("GET", `${server.production}/pets?id=${id}`, { key });
  return /"categoryId":(-?\d+)/.exec(body)?.[1] ?? body;
}
