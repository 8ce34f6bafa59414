import type { KeyView } from "../../../keys/contract.ts";

const STATES = {
  active: { words: "Active", badge: "active" },
  replaced: { words: "Replaced", badge: "pending" },
  expired: { words: "Expired", badge: "" },
  revoked: { words: "Revoked", badge: "" },
} as const;

export function stateOf({ revokedAt, expiresAt, replacedBy }: KeyView) {
  if (revokedAt !== null) return STATES.revoked;
  if (expiresAt !== null && Date.parse(expiresAt) <= Date.now()) return STATES.expired;
  return replacedBy === null ? STATES.active : STATES.replaced;
}

export const ACCESS_WORDS: Readonly<Record<KeyView["access"], string>> = {
  read: "Read only",
  "read-write": "Read and write",
};
