import type { DatabaseName } from "../open.ts";

/** One table as a copy sees it: what to carry, and by what order. */
export interface Table {
  readonly name: string;
  /** The primary key: rows are read in its order. */
  readonly key: readonly [string, ...string[]];
  readonly columns: readonly string[];
  /** Whether the engine gives out `id`. */
  readonly hasIdentity?: true;
}

const idempotencyRecord: Table = {
  name: "idempotency_record",
  key: ["account_id", "environment", "path", "idempotency_key"],
  columns: [
    ...["account_id", "environment", "path", "idempotency_key"],
    ...["fingerprint", "status", "location", "body", "resource_id", "created_at"],
  ],
};

const store: readonly Table[] = [
  { name: "pet", key: ["id"], columns: ["id", "name", "category_id", "status"], hasIdentity: true },
  { name: "category", key: ["id"], columns: ["id", "name", "description"], hasIdentity: true },
  {
    name: "store_order",
    key: ["id"],
    columns: ["id", "pet_id", "quantity", "ship_date", "complete"],
    hasIdentity: true,
  },
  idempotencyRecord,
];

/** Everything that makes up a store, in an order in which each row finds what it refers to. */
export const TABLES: Readonly<Record<DatabaseName, readonly Table[]>> = {
  accounts: [
    {
      name: "account",
      key: ["id"],
      columns: ["id", "email", "password_hash", "created_at"],
      hasIdentity: true,
    },
    {
      name: "api_key",
      key: ["id"],
      columns: [
        ...["id", "account_id", "environment", "name", "access", "token_hash"],
        ...["created_at", "expires_at", "last_used_at", "revoked_at"],
      ],
    },
    {
      name: "session",
      key: ["id"],
      columns: [
        ...["id", "account_id", "environment", "token_hash", "user_agent"],
        ...["created_at", "last_seen_at", "expires_at"],
      ],
    },
    { name: "attempt_count", key: ["subject"], columns: ["subject", "attempts", "last_at"] },
    {
      name: "known_address",
      key: ["account_id", "address_hash"],
      columns: ["account_id", "address_hash", "last_at"],
    },
    {
      name: "deprecated_call",
      key: ["key_id", "operation"],
      columns: ["key_id", "operation", "calls", "last_called_at"],
    },
  ],
  production: store,
  staging: store,
  messages: [
    {
      name: "message",
      key: ["id"],
      columns: ["id", "message", "status", "attempts", "due_at", "created_at", "environment"],
    },
    { name: "webhook_secret", key: ["only_row"], columns: ["only_row", "secret"] },
    idempotencyRecord,
  ],
};
