import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { createDestination } from "../wire/deliveries.ts";
import { outcomeOf } from "../wire/process.ts";
import { makeKey, type Server, startServer } from "../wire/server.ts";
import { freshEmbeddedStore } from "../wire/stores.ts";

// Redocly's runner executes openapi/petstore.arazzo.yaml, and checks every response against the OpenAPI documents.

const PROJECT = Bun.fileURLToPath(new URL("../../", import.meta.url));
const WORKFLOWS = "openapi/petstore.arazzo.yaml";

interface Step {
  readonly stepId: string;
}

const hook = createDestination(204);
let server: Server;
let key: string;
beforeAll(async () => {
  const env = { PETSTORE_WEBHOOKS_PRIVATE: "allow" };
  server = await startServer({ store: await freshEmbeddedStore(), env });
  key = await makeKey(server.store);
});
afterAll(async () => {
  await server.stop();
  await hook.stop();
});

/** Runs every workflow. @returns the exit code, and the steps of each workflow */
async function play(
  run: string,
): Promise<{ code: number; printed: string; workflows: Map<string, readonly Step[]> }> {
  const report = join(server.store.dataDir, `${run}.json`);
  const program = join(PROJECT, "node_modules/.bin/redocly");
  const child = Bun.spawn(
    [
      ...[program, "respect", WORKFLOWS, "--json-output", report],
      ...["--input", `key=${key}`, "--input", `run=${run}`, "--input", `hook=${hook.url}`],
      ...["--server", `petstore=${server.production}`, "--server", `messages=${server.messages}`],
    ],
    {
      cwd: PROJECT,
      env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
      stdout: "pipe",
      stderr: "pipe",
    },
  );
  const { code, out, err } = await outcomeOf(child);
  const { files } = await Bun.file(report).json();
  const executed: readonly { workflowId: string; executedSteps: readonly Step[] }[] =
    files[WORKFLOWS].executedWorkflows;
  const workflows = new Map(executed.map(({ workflowId, executedSteps }) => [workflowId, executedSteps]));
  return { code, printed: out + err, workflows };
}

test("every step of every workflow succeeds, even when it is run again", async () => {
  const { workflows: described } = Bun.YAML.parse(await Bun.file(PROJECT + WORKFLOWS).text()) as {
    workflows: readonly { workflowId: string; steps: readonly { stepId: string }[] }[];
  };
  for (const run of ["first", "second"]) {
    const { code, printed, workflows } = await play(run);
    if (code !== 0) throw new Error(printed);
    for (const { workflowId, steps } of described) {
      const played = new Set(workflows.get(workflowId)?.map(({ stepId }) => stepId));
      expect([workflowId, [...played]]).toEqual([workflowId, steps.map(({ stepId }) => stepId)]);
    }
    expect(printed).not.toContain(key);
  }
});
