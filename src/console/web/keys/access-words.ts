import type { KeyView } from "../../../keys/contract.ts";

/** The words for the kinds of access that a key can have. The most common one is first. */
export const ACCESS_WORDS: Readonly<Record<KeyView["access"], string>> = {
  "read-write": "Read and write",
  sell: "Read and sell",
  read: "Read only",
};
