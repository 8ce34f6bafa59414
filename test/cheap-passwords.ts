import type { PasswordCost } from "../src/accounts/passwords.ts";

/** The lowest cost of argon2id, for tests that do not test hashing. */
export const CHEAP_PASSWORDS: PasswordCost = {
  memoryCost: 8,
  timeCost: 1,
  decoy:
    "$argon2id$v=19$m=8,t=1,p=1$UGlfP4ZINGrSvCRklGzVvx8LpiDOCFnLaFhqaFD6U2w$L2mm8czjzkPzBuTJd6XNG4hT7BxgbVaZwUmQyrYUXDQ",
};
