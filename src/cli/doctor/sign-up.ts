import { SIGN_UP_IN_WORDS } from "../../accounts/sign-up.ts";
import { SETTINGS } from "../../config/settings.ts";
import type { Config } from "../../config.ts";
import { type CheckResult, ok, warn } from "./check-result.ts";

export function checkSignUp({ signUp }: Config): CheckResult {
  const message = SIGN_UP_IN_WORDS[signUp];
  if (signUp !== "open") return ok("sign up", message);
  return warn(
    "sign up",
    message,
    `Set ${SETTINGS.signUp.variable}=invite, so that only invited people can create accounts.`,
  );
}
