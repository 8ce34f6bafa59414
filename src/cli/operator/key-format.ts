import type { ApiKey } from "../../keys/store.ts";
import { viewOfKey } from "../../keys/verbs.ts";
import { formatTime, systemClock } from "../../platform/clock.ts";
import type { RowFormat } from "../terminal/output-formats.ts";

/** Converts an API key to the record that commands print. The record does not contain the secret. */
export function describeKey(key: ApiKey) {
  const { id, ...view } = viewOfKey(key);
  return { id, environment: key.environment, ...view };
}

type DescribedKey = ReturnType<typeof describeKey>;

export const keyFormat: RowFormat<DescribedKey> = {
  plural: "keys",
  columns: ["ID", "KEY", "ENVIRONMENT", "ACCESS", "NAME", "ACCOUNT", "STATE", "LAST USED"],
  row: (key) => [
    key.id,
    key.redacted,
    key.environment,
    key.access,
    key.name,
    key.account,
    stateOf(key),
    key.lastUsedAt === null ? "never" : toMinute(key.lastUsedAt),
  ],
  members: [
    "id",
    "environment",
    "access",
    "name",
    "account",
    "createdAt",
    "expiresAt",
    "lastUsedAt",
    "revokedAt",
    "redacted",
    "replacedBy",
  ],
};

function stateOf({ revokedAt, expiresAt, replacedBy }: DescribedKey): string {
  if (revokedAt !== null) return "revoked";
  if (expiresAt === null) return "valid";
  // RFC 3339 times in UTC can be compared as strings, because their alphabetical order is chronological.
  if (expiresAt <= formatTime(systemClock.now())) return replacedBy === null ? "expired" : "replaced";
  return replacedBy === null ? `until ${expiresAt.slice(0, 10)}` : `replaced, until ${toMinute(expiresAt)}`;
}

/** Shortens an RFC 3339 time to the minute: `2026-01-01 12:00`. */
function toMinute(time: string): string {
  return time.slice(0, 16).replace("T", " ");
}
