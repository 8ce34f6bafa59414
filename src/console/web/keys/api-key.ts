import type { KeyView } from "../../../keys/contract.ts";

type KeyState = "active" | "expired" | "revoked";

export function keyState({ revokedAt, expiresAt }: KeyView): KeyState {
  if (revokedAt !== null) return "revoked";
  return expiresAt !== null && Date.parse(expiresAt) <= Date.now() ? "expired" : "active";
}

export const ACCESS_WORDS: Readonly<Record<KeyView["access"], string>> = {
  read: "Read only",
  "read-write": "Read and write",
};
