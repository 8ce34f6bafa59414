import type { KeyView } from "../../../keys/contract.ts";

/** The words for the access levels that a key can have. The most common level is first. */
export const ACCESS_WORDS: Readonly<Record<KeyView["access"], string>> = {
  "read-write": "Read and write",
  sell: "Read and sell",
  read: "Read only",
};
