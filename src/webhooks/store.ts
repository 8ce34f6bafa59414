import type { Int64 } from "exact-json/int64";
import { type AuditedStatement, audited } from "../accounts/audit/audit.ts";
import { parseJson, writeJson } from "../contract/json/json.ts";
import { EVENT_TYPES, type EventType } from "../event-kinds/event-kinds.ts";
import { enumColumn, int64Column, members, textColumn, timeColumn } from "../storage/row.ts";
import { type Row, type Statement, statement } from "../storage/statement.ts";
import { WEBHOOK_STATUSES, type Webhook } from "./contract.ts";

const COLUMNS = "id, url, types, status, created_at";
const IS_THERE = "status <> 'deleted'";

const decodeWebhook = members({
  id: int64Column,
  url: textColumn,
  types: () => decodeTypes,
  status: enumColumn(WEBHOOK_STATUSES),
  createdAt: timeColumn,
});

export function encodeTypes(types: readonly EventType[]): string {
  return writeJson(types);
}

function decodeTypes({ types }: Row): EventType[] {
  const names = parseJson(String(types));
  if (!Array.isArray(names)) throw new TypeError('The database column "types" does not contain an array.');
  return names.map((type) => decodeType({ type }));
}

const decodeType = enumColumn(EVENT_TYPES)("type");

/** SQL expression for the end of the event log: all events up to this identifier are older than the current transaction. */
const NOW = "(SELECT id FROM event_end)";

/** Inserts a webhook unless `maximum` webhooks exist already. */
export const insertWebhook: AuditedStatement<
  {
    url: string;
    types: string;
    status: Webhook["status"];
    createdAt: number;
    secret: string;
    maximum: number;
  },
  Webhook
> = audited(
  "webhook.created",
  statement(
    `INSERT INTO webhook (url, types, status, created_at, secret, last_event_id)
      SELECT CAST($url AS TEXT), CAST($types AS TEXT), CAST($status AS TEXT), CAST($createdAt AS BIGINT), CAST($secret AS TEXT), ${NOW}
      WHERE (SELECT COUNT(*) FROM webhook WHERE ${IS_THERE}) < $maximum RETURNING ${COLUMNS}`,
    decodeWebhook,
  ),
);

export const selectWebhookPage: Statement<[below: Int64, limit: number], Webhook> = statement(
  `SELECT ${COLUMNS} FROM webhook WHERE id < $1 AND ${IS_THERE} ORDER BY id DESC LIMIT CAST($2 AS BIGINT)`,
  decodeWebhook,
);

export const selectWebhook: Statement<[id: Int64], Webhook> = statement(
  `SELECT ${COLUMNS} FROM webhook WHERE id = $1 AND ${IS_THERE}`,
  decodeWebhook,
);

/** Changes a webhook. A member that is NULL keeps its value. Returns no row if nothing changes. */
export const patchWebhook: AuditedStatement<
  { id: Int64; url: string | null; types: string | null; status: Webhook["status"] | null },
  Webhook
> = audited(
  "webhook.updated",
  statement(
    `UPDATE webhook SET url = COALESCE($url, url), types = COALESCE($types, types), status = COALESCE($status, status)
      WHERE id = $id AND ${IS_THERE} AND (url <> COALESCE($url, url) OR types <> COALESCE($types, types) OR status <> COALESCE($status, status))
      RETURNING ${COLUMNS}`,
    decodeWebhook,
  ),
);

/** Moves a webhook's position to the newest event, so that no earlier event is delivered to it. */
export const skipToNewest: Statement<[id: Int64]> = statement(
  `UPDATE webhook SET last_event_id = ${NOW} WHERE id = $1`,
);

/** Marks a webhook as removed, so that no request finds it any more. `sweepDeliveries` later deletes its row and its deliveries. */
export const removeWebhook: AuditedStatement<[id: Int64], Pick<Webhook, "id" | "url">> = audited(
  "webhook.deleted",
  statement(
    `UPDATE webhook SET status = 'deleted', secret = '', previous_secret = NULL
      WHERE id = $1 AND ${IS_THERE} RETURNING id, url`,
    members({ id: int64Column, url: textColumn }),
  ),
);

/** Replaces a webhook's secret. Until $3, deliveries are signed with both the new secret and the previous one. */
export const rotateSecret: AuditedStatement<[id: Int64, secret: string, until: number], Webhook> = audited(
  "webhook.secret-rotated",
  statement(
    `UPDATE webhook SET secret = $2, previous_secret = secret, previous_until = $3
      WHERE id = $1 AND ${IS_THERE} RETURNING ${COLUMNS}`,
    decodeWebhook,
  ),
);

/** Replaces a webhook's secret. From then on, deliveries are no longer signed with the previous secret. */
export const replaceSecret: AuditedStatement<[id: Int64, secret: string], Webhook> = audited(
  "webhook.secret-rotated",
  statement(
    `UPDATE webhook SET secret = $2, previous_secret = NULL, previous_until = NULL
      WHERE id = $1 AND ${IS_THERE} RETURNING ${COLUMNS}`,
    decodeWebhook,
  ),
);
