import { describeSignUp, signUpPolicyOf } from "../../accounts/sign-up.ts";
import { type Config, SETTINGS } from "../../config.ts";
import { type CheckResult, ok, warn } from "./check-result.ts";

export function checkSignUp(config: Config): CheckResult {
  const policy = signUpPolicyOf(config);
  const message = describeSignUp(policy, SETTINGS.signUp.variable);
  const isReachable = signUpPolicyOf({ ...config, signUp: undefined }).mode === "invite";
  if (policy.mode === "open" && isReachable)
    return warn("sign up", message, `Set ${SETTINGS.signUp.variable}=invite, and invite people.`);
  return ok("sign up", message);
}
