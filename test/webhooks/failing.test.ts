import { expect, test } from "bun:test";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { selectTroubledWebhooks } from "../../src/console/notices-store.ts";
import { openDatabase } from "../../src/storage/open.ts";
import { type Statement, statement } from "../../src/storage/statement.ts";
import { onEachEngine } from "../test-app.ts";

const addWebhook: Statement<[status: string, url: string]> = statement(
  `INSERT INTO webhook (url, types, status, created_at, secret, last_event_id) VALUES ($2, '[]', $1, 0, 's', 0)`,
);
const addDelivery: Statement<[webhookId: number, status: string, attempts: number]> = statement(
  `INSERT INTO delivery (webhook_id, type, subject, status, attempts, created_at) VALUES ($1, 'webhook.test', '', $2, $3, 0)`,
);

onEachEngine((store) => {
  test("a webhook has a problem if it is disabled, its last delivery failed, or its oldest queued deliveries are being retried", async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "petstore-"));
    const { databaseUrl } = await store();
    const database = await openDatabase("production", { dataDir, ...(databaseUrl && { databaseUrl }) });
    const cases: Record<string, readonly (readonly [status: string, attempts: number])[]> = {
      "no deliveries": [],
      "enabled recovered": [
        ["failed", 10],
        ["delivered", 1],
      ],
      "enabled first attempt": [
        ["delivered", 3],
        ["queued", 1],
      ],
      "failing last": [
        ["delivered", 1],
        ["failed", 10],
      ],
      "failing queued": [["queued", 2], ...Array.from({ length: 150 }, () => ["queued", 0] as const)],
    };
    for (const [index, [url, deliveries]] of Object.entries(cases).entries()) {
      await database.run(addWebhook, ["enabled", url]);
      for (const [status, attempts] of deliveries)
        await database.run(addDelivery, [index + 1, status, attempts]);
    }
    await database.run(addWebhook, ["disabled", "disabled"]);
    await database.run(addDelivery, [Object.keys(cases).length + 1, "failed", 10]);
    const troubled = await database.read(selectTroubledWebhooks, [100]);
    expect(troubled.map(({ url }) => url)).toEqual(["disabled", "failing queued", "failing last"]);
    await database.close();
  });
});
