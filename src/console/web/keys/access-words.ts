import type { KeyView } from "../../../keys/contract.ts";

/** Words for the access of a key, the most frequent first. */
export const ACCESS_WORDS: Readonly<Record<KeyView["access"], string>> = {
  "read-write": "Read and write",
  sell: "Read and sell",
  read: "Read only",
};
