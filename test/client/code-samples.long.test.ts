import { beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { createTestApp } from "../test-app.ts";
import { until } from "../until.ts";
import { codeSamples } from "../wire/pages.ts";
import { outcomeOf } from "../wire/process.ts";
import { installClient, linkPackages, PROJECT, run } from "./installed.ts";

// Runs every code sample in the API reference, as readers do after they have copied it from the page. The API key is in
// PETSTORE_KEY.

interface Documented {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, unknown>>;
}

type Paths = Readonly<Record<string, Readonly<Record<string, Documented>>>>;

/**
 * Requests to send before a code sample runs. They create the resources with the identifier 1, which every sample uses. Nearly all
 * samples need the requests in `SHOP`.
 */
const SHOP = ["POST /v1/categories", "POST /v1/pets"];
const ORDERED = [...SHOP, "POST /v1/store/orders"];
const TESTED = ["POST /v1/webhooks", "POST /v1/webhooks/1/test"];
const FIXTURES: Readonly<Record<string, readonly string[]>> = {
  listOrders: ORDERED,
  getOrder: ORDERED,
  completeOrder: ORDERED,
  cancelOrder: ORDERED,
  deleteCategory: ["POST /v1/categories"],
  ...Object.fromEntries(
    [
      "getWebhook",
      "updateWebhook",
      "deleteWebhook",
      "rotateWebhookSecret",
      "testWebhook",
      "listWebhooks",
    ].map((id) => [id, ["POST /v1/webhooks"]]),
  ),
  listDeliveries: TESTED,
  getDelivery: TESTED,
  redeliver: TESTED,
  submitMessage: ["POST /messages"],
  getMessage: ["POST /messages"],
  redeliverMessage: ["POST /messages"],
};
const BODIES: Readonly<Record<string, string>> = {
  "POST /v1/categories": '{"name":"Cats"}',
  "POST /v1/pets": '{"name":"Fluffy","categoryId":1,"status":"available"}',
  "POST /v1/store/orders": '{"petId":1}',
  "POST /v1/webhooks": '{"url":"https://hooks.example.com/petstore"}',
  "POST /messages": '{"message":"Hello"}',
};
/** Matches the identifier of a message, which is random. */
const MESSAGE_ID = /msg_\w+/;

let project: string;
beforeAll(async () => {
  ({ project } = await installClient());
  await linkPackages(join(project, "node_modules"), (name) => ["@types", "undici-types"].includes(name));
  for (const program of ["curl", "python3"])
    if (Bun.which(program) === null)
      throw new Error(
        `This test runs samples with ${program}, which is not installed: apt-get install ${program}`,
      );
});

/** The command that runs a code sample, keyed by language. It runs in a folder where `@petstore/client` is installed. */
const RUNNERS: Readonly<Record<string, (source: string) => readonly string[] | Promise<readonly string[]>>> =
  {
    curl: (source) => ["bash", "-c", source],
    Python: (source) => ["python3", "-c", source],
    async TypeScript(source) {
      await Bun.write(join(project, "sample.ts"), source);
      return [process.execPath, "sample.ts"];
    },
  };

const documents = await Promise.all(
  ["petstore", "messages"].map((name) => Bun.file(join(PROJECT, `openapi/${name}.json`)).json()),
);
const operations = documents.flatMap(({ paths }: { readonly paths: Paths }) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
  ),
);

/** Starts a service with a new store, and records the status of every response. */
async function startNotedService(service: "production" | "messages") {
  const app = await createTestApp({ deliver: async () => ({ outcome: "gone" }) });
  const statuses: number[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const response = await app.services[service]?.fetch(request);
      if (response === undefined) throw new Error(`There is no service ${service}.`);
      statuses.push(response.status);
      return response;
    },
  });
  const { token: key } = await app.makeKey();
  return {
    key,
    statuses,
    origin: server.url.origin,
    send: async (request: string) => {
      const reply = await app.send(service, request, { key, body: BODIES[request] ?? "" });
      if (!reply.ok) throw new Error(`${request}: ${await reply.text()}`);
      const { id } = (await reply.json()) as { readonly id: string };
      const isFailed = async () =>
        (await (await app.send(service, `GET /messages/${id}`, { key })).text()).includes('"failed"');
      // Only a message whose delivery has failed can be sent again.
      if (request === "POST /messages") await until(isFailed);
      return id;
    },
    async stop() {
      await server.stop(true);
      await app.close();
    },
  };
}

for (const { path, operationId, responses } of operations) {
  const service = path.startsWith("/messages") ? "messages" : "production";
  const [documented = ""] = Object.keys(responses);

  test.each(Object.keys(RUNNERS))(
    `${operationId} answers ${documented} to the sample in %s`,
    async (language) => {
      const noted = await startNotedService(service);
      try {
        let id = "";
        for (const request of FIXTURES[operationId] ?? SHOP) id = await noted.send(request);
        const samples = await codeSamples(noted.origin, operationId);
        const { [language]: source = "" } = samples;
        expect(Object.keys(samples)).toEqual(["curl", "TypeScript", "Python"]);
        expect(source).toContain(noted.origin);
        expect(source).toContain("PETSTORE_KEY");
        expect(source).not.toMatch(/pet_(live|test)_/);
        if (language === "TypeScript") await Bun.write(join(project, `compiled-${operationId}.ts`), source);
        const command = await RUNNERS[language]?.(source.replace(MESSAGE_ID, id));
        const child = Bun.spawn([...(command ?? [])], {
          cwd: project,
          env: { PATH: process.env["PATH"] ?? "", PETSTORE_KEY: noted.key },
          stdout: "pipe",
          stderr: "pipe",
        });
        const { code, out, err } = await outcomeOf(child);
        const [, answered] = noted.statuses;
        expect([source, code, answered, language === "curl" ? "" : err]).toEqual([
          source,
          0,
          Number(documented),
          "",
        ]);
        if (language === "Python" || documented !== "204") expect(out.trim()).not.toBe("");
      } finally {
        await noted.stop();
      }
    },
  );
}

test("the samples in TypeScript compile against the installed client", async () => {
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    target: "ES2022",
    lib: ["ES2022"],
    module: "NodeNext",
    types: ["node"],
    skipLibCheck: true,
    noEmit: true,
  };
  await Bun.write(
    join(project, "tsconfig.json"),
    JSON.stringify({ compilerOptions, include: ["compiled-*.ts"] }),
  );
  await run(project, process.execPath, join(PROJECT, "node_modules/typescript/bin/tsc"), "--pretty", "false");
});
