import { keepWebhookSecret } from "../messages/store.ts";
import type { RandomBytes } from "../platform/random.ts";
import type { Database } from "../storage/database.ts";
import { singleRow } from "../storage/row.ts";
import { createWebhookSecret } from "../webhooks/secret.ts";

/** The secret that deliveries are signed with when none was set: made on first use, then kept with the messages. */
export async function keptWebhookSecret(database: Database, randomBytes: RandomBytes): Promise<string> {
  return singleRow(await database.run(keepWebhookSecret, [createWebhookSecret(randomBytes)]));
}
