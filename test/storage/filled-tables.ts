import type { SQL } from "bun";

/** The number of rows per table. With fewer rows, a query planner might read the whole table instead of using an index. */
const ROWS = 20_000;
const NUMBERS = `generate_series(1, ${ROWS}) AS n`;

/** Fills the larger tables of a PostgreSQL database. Afterwards, the caller has to update the planner's statistics. */
export async function fillTables(sql: SQL): Promise<void> {
  for (const [schema, statements] of Object.entries(FILL)) {
    await sql.unsafe(`SET search_path TO ${schema}`);
    for (const statement of statements) await sql.unsafe(`${statement} FROM ${NUMBERS}`);
  }
}

const FILL: Readonly<Record<string, readonly string[]>> = {
  production: [
    "INSERT INTO pet (name, category_id, status) SELECT 'x', n % 50, 'available'",
    "INSERT INTO category (id, name, created_at) SELECT n, 'x', n",
    "INSERT INTO store_order (pet_id, quantity, complete, created_at, completed_at) SELECT n, 1, n % 2, n, CASE WHEN n % 2 = 1 THEN n END",
    "INSERT INTO event (type, created_at, actor_kind, actor_id, actor_name, request_id, pet_id, data) SELECT CASE WHEN n % 10 = 0 THEN 'pet.deleted' ELSE 'pet.updated' END, n, 'operator', '', 'operator', '', n % 5000, '{}'",
    "INSERT INTO webhook (url, types, status, created_at, secret, last_event_id) SELECT 'https://example.com', '[]', 'enabled', n, 'x', 0",
    "INSERT INTO delivery (webhook_id, event_id, type, subject, status, attempts, created_at) SELECT n % 10 + 1, n, 'pet.updated', 'pet ' || n % 100, CASE WHEN n % 100 = 0 THEN 'queued' ELSE 'delivered' END, 0, n",
    "INSERT INTO delivery_attempt (delivery_id, at, duration, status) SELECT CAST(n AS TEXT), n, 1, 200",
  ],
  messages: [
    "INSERT INTO message (id, message, status, attempts, due_at, created_at, environment) SELECT 'msg_' || n, 'x', CASE WHEN n % 100 = 0 THEN 'queued' ELSE 'delivered' END, 0, n, n, 'production'",
    "INSERT INTO delivery_attempt (delivery_id, at, duration, status) SELECT 'msg_' || n, n, 1, 200",
  ],
  accounts: [
    "INSERT INTO audit_entry (at, action, actor_kind, actor, address, subject, detail, times) SELECT n, 'session.created', 'person', 'x', '', 'x', '', 1",
    "INSERT INTO account (email, role, created_at) SELECT n || '@example.com', 'staff', 1",
    "INSERT INTO api_key (id, account_id, environment, name, access, redacted, token_hash, created_at) SELECT 'key_' || n, 1, 'production', 'k', 'read', 'pet_live_…', sha256(n::text::bytea), 1",
  ],
};
