import { expect, test } from "bun:test";
import { SQL } from "bun";
import { systemRandomBytes } from "../../src/platform/random.ts";
import type { Query } from "../../src/storage/database.ts";
import { openDatabase } from "../../src/storage/open.ts";
import { createWebhook, updateWebhook } from "../../src/webhooks/verbs.ts";
import { freshDatabaseUrl } from "./database.ts";

const RULES = { environment: "production", privateDestinations: "refuse" } as const;
const contextOf = (query: Query) => ({
  ...{ query, now: 0, randomBytes: systemRandomBytes, requestId: "" },
  actor: { kind: "operator" } as const,
});

test("a webhook is disabled while its deliveries are being claimed", async () => {
  const databaseUrl = await freshDatabaseUrl();
  const database = await openDatabase("production", { dataDir: "", databaseUrl });
  const body = { url: "https://hooks.example.com" };
  await database.write((query) => createWebhook(contextOf(query), { body }, RULES));
  const worker = new SQL(databaseUrl, { max: 1 });
  await worker.unsafe(`INSERT INTO production.delivery
    (webhook_id, type, subject, status, attempts, due_at, created_at) VALUES (1, 'pet.updated', 'pet 1', 'queued', 0, 0, 0)`);
  const claiming = await worker.reserve();
  await claiming.unsafe("BEGIN; UPDATE production.delivery SET attempts = 1").simple();
  const disabled = database.write((query) =>
    updateWebhook(contextOf(query), { webhookId: 1, body: { status: "disabled" } }, RULES),
  );
  expect(await disabled).toMatchObject({ status: "disabled" });
  await claiming.unsafe("COMMIT");
  claiming.release();
  await worker.close();
  await database.close();
});
