import type { Int64 } from "exact-json/int64";
import type { Environment } from "../context.ts";
import { enumColumn, int64Column, members, numberColumn, textColumn } from "../storage/row.ts";
import { type Statement, statement } from "../storage/statement.ts";
import { WEBHOOK_STATUSES } from "../webhooks/contract.ts";
import type { ProgramNotices } from "./contract.ts";

const FAILING_LOOKED_AT = 100; // number of queued deliveries of a webhook that are checked for failures, beginning with the oldest

/** Counts the failed messages of an environment. Looks only at its latest messages. */
export const countFailedMessages: Statement<[environment: Environment, latest: number], number> = statement(
  `SELECT count(*) AS found FROM (SELECT status FROM message WHERE environment = $1
        ORDER BY created_at DESC, id DESC LIMIT CAST($2 AS BIGINT)) AS range_latest
    WHERE status = 'failed'`,
  numberColumn("found"),
);

type TroubledWebhook = ProgramNotices["webhooks"][number];
const LOOKED_AT = `LIMIT CAST(${FAILING_LOOKED_AT} AS BIGINT)`;

/**
 * Selects the webhooks with problems: disabled webhooks, and enabled webhooks whose last delivery failed. An enabled webhook also
 * has a problem if one of its oldest queued deliveries has been attempted more than once.
 */
export const selectTroubledWebhooks: Statement<[below: Int64], TroubledWebhook> = statement(
  `SELECT id, url, status FROM webhook WHERE id < $1 AND (status = 'disabled' OR status = 'enabled' AND (
      (SELECT delivery.status FROM delivery WHERE webhook_id = webhook.id ORDER BY delivery.id DESC LIMIT 1) = 'failed'
      OR EXISTS (SELECT 1 FROM (SELECT attempts FROM delivery
          WHERE webhook_id = webhook.id AND delivery.status = 'queued' ORDER BY delivery.id ${LOOKED_AT}) AS range_oldest
        WHERE attempts > 1)))
    ORDER BY id DESC`,
  members({ id: int64Column, url: textColumn, status: enumColumn(WEBHOOK_STATUSES) }),
);

const decodeCaller = members({
  accountId: numberColumn,
  keyId: textColumn,
  keyName: () => textColumn("name"),
  calls: numberColumn,
  /** When the key last called the deprecated operation, in milliseconds since 1970. */
  lastCalledAt: () => numberColumn("at"),
});

/** Selects the keys of an environment that have called a deprecated operation. The key with the latest call comes first. */
export const selectDeprecatedCallers: Statement<
  [operation: string, environment: Environment],
  ReturnType<typeof decodeCaller>
> = statement(
  `SELECT account_id, key_id, name, CAST(entries AS BIGINT) AS calls, at
    FROM key_activity JOIN api_key ON api_key.id = key_id
    WHERE kind = 'deprecated-call' AND subject = $1 AND environment = $2 ORDER BY at DESC, key_id`,
  decodeCaller,
);
