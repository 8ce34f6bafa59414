// `npm run test:postman`: newman runs the Postman collection against the service, in both environments. Its last line is
// `N passed, N failed`.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { outcomeOf } from "../../wire/process.ts";
import { makeKey, startServer } from "../../wire/server.ts";
import { freshEmbeddedStore } from "../../wire/stores.ts";
import { printCounts, step } from "../steps.ts";

const HERE = Bun.fileURLToPath(new URL("./", import.meta.url));
const OPENAPI = Bun.fileURLToPath(new URL("../../../openapi/", import.meta.url));

/** Expected statuses of a run from top to bottom that are not 2xx. */
const REFUSED: Readonly<Record<string, number>> = { cancelOrder: 409 };

interface Execution {
  readonly item: { readonly name: string };
  readonly response?: { readonly code: number };
  readonly assertions?: readonly {
    readonly assertion: string;
    readonly error?: { readonly message: string };
  }[];
}

const store = await freshEmbeddedStore();
const server = await startServer({ store });
const folder = await mkdtemp(join(tmpdir(), "petstore-postman-"));
try {
  for (const environment of ["production", "staging"] as const) {
    const key = await makeKey(store, { environment });
    for (const execution of await run(environment, key))
      await step(`${environment}: ${execution.item.name} ${execution.response?.code}`, () =>
        judge(execution),
      );
  }
} finally {
  await server.stop();
  await rm(folder, { recursive: true });
}
printCounts();

async function run(environment: "production" | "staging", key: string): Promise<readonly Execution[]> {
  const report = join(folder, `${environment}.json`);
  const values = { baseUrl: server[environment], messagesUrl: server.messages, apiKey: key };
  const child = Bun.spawn(
    [
      ...[join(HERE, "node_modules/.bin/newman"), "run", join(OPENAPI, "postman-collection.json")],
      ...["--environment", join(OPENAPI, `postman-${environment}.json`)],
      ...Object.entries(values).flatMap(([name, value]) => ["--env-var", `${name}=${value}`]),
      ...["--reporters", "json", "--reporter-json-export", report],
    ],
    { stdin: new Blob([]), stdout: "pipe", stderr: "pipe" },
  );
  const { err } = await outcomeOf(child);
  if (!(await Bun.file(report).exists())) throw new Error(err);
  return (await Bun.file(report).json()).run.executions;
}

function judge({ item, response, assertions = [] }: Execution): void {
  const faults = assertions.flatMap(({ error }) => (error === undefined ? [] : [error.message]));
  const wanted = REFUSED[item.name];
  const isWanted = wanted === undefined ? `${response?.code}`.startsWith("2") : response?.code === wanted;
  if (!isWanted) faults.push(`answered ${response?.code}`);
  if (assertions.length === 0) faults.push("nothing was tested");
  if (faults.length > 0) throw new Error(faults.join("; "));
}
