import type { Browser, SignUp } from "../context.ts";
import { isLoopbackHost } from "../platform/ip-address.ts";

/** Who may make an account. */
export interface SignUpPolicy {
  readonly mode: SignUp;
  /** `open` by default: only to browsers on this machine. */
  readonly isForThisMachine: boolean;
}

interface SignUpSettings {
  /** Undefined where it was not set. */
  readonly signUp: SignUp | undefined;
  readonly host: string;
  readonly metricsHost: string;
  readonly productionUrl: string | undefined;
  readonly stagingUrl: string | undefined;
  readonly messagesUrl: string | undefined;
  readonly trustedProxies: unknown;
}

export function signUpPolicyOf(settings: SignUpSettings): SignUpPolicy {
  const { signUp, host, metricsHost, productionUrl, stagingUrl, messagesUrl, trustedProxies } = settings;
  if (signUp !== undefined) return { mode: signUp, isForThisMachine: false };
  const isReachable =
    ![host, metricsHost].every(isLoopbackHost) ||
    [productionUrl, stagingUrl, messagesUrl, trustedProxies].some((setting) => setting !== undefined);
  return isReachable ? { mode: "invite", isForThisMachine: false } : { mode: "open", isForThisMachine: true };
}

/** What the policy is for one browser. */
export function signUpFor({ mode, isForThisMachine }: SignUpPolicy, { isLocal }: Browser): SignUp {
  return isForThisMachine && !isLocal ? "invite" : mode;
}

/** For the operator: who may make an account, and why. */
export function describeSignUp(policy: SignUpPolicy, setting: string): string {
  if (policy.isForThisMachine)
    return `open to browsers on this machine, because ${setting} is not set and every port is on loopback`;
  return {
    open: "open: everybody who reaches the console can create an account",
    invite: "by invitation: petstore accounts invite, or an owner in the console",
    closed: "closed: petstore accounts create",
  }[policy.mode];
}
