import type { KeyView } from "../../../keys/contract.ts";

type KeyState = "active" | "replaced" | "expired" | "revoked";

export function keyState({ revokedAt, expiresAt, replacedBy }: KeyView): KeyState {
  if (revokedAt !== null) return "revoked";
  if (expiresAt !== null && Date.parse(expiresAt) <= Date.now()) return "expired";
  return replacedBy === null ? "active" : "replaced";
}

export const ACCESS_WORDS: Readonly<Record<KeyView["access"], string>> = {
  read: "Read only",
  "read-write": "Read and write",
};
