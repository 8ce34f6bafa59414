/** A key as the server tells of it: everything but the key itself, which it does not know. */
export interface ApiKey {
  readonly id: string;
  readonly name: string;
  readonly access: "read" | "read-write";
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly lastUsedAt: string | null;
  readonly revokedAt: string | null;
}

export type KeyState = "active" | "expired" | "revoked";

export function keyState({ revokedAt, expiresAt }: ApiKey): KeyState {
  if (revokedAt !== null) return "revoked";
  return expiresAt !== null && Date.parse(expiresAt) <= Date.now() ? "expired" : "active";
}

export const ACCESS_WORDS: Readonly<Record<ApiKey["access"], string>> = {
  read: "Read only",
  "read-write": "Read and write",
};
