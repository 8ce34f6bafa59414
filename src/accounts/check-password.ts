import type { Browser, Context } from "../context.ts";
import { invalidMember, type ServiceError } from "../errors.ts";
import type { Database } from "../storage/database.ts";
import { recordFailedSignIn } from "./audit/audited.ts";
import type { Passwords } from "./passwords.ts";
import type { LoginThrottle } from "./sessions/login-throttle.ts";
import { type AccountSecret, selectSecretByEmail } from "./store.ts";

/** What verbs that check or set passwords need. */
export interface PasswordCheck {
  readonly accounts: Database;
  readonly passwords: Passwords;
  readonly throttle: LoginThrottle;
}

interface Claim {
  readonly email: string;
  readonly password: string;
  readonly browser: Browser;
}

/**
 * Checks a password at the same cost and with the same answer whether the account is there or not.
 *
 * @returns the account with its hash, or undefined when it is not the password
 * @throws ServiceError `rate_limited`, `unavailable`
 */
export async function checkPassword(
  { accounts, passwords, throttle }: PasswordCheck,
  ctx: Context,
  { email, password, browser }: Claim,
): Promise<(AccountSecret & { readonly passwordHash: string }) | undefined> {
  const [secret] = await ctx.query(selectSecretByEmail, [email]);
  const { address, isSharedAddress } = browser;
  const attempt = { email, accountId: secret?.account.id, address, isSharedAddress, now: ctx.now };
  const isKnown = await throttle.consume(attempt);
  const isRight = await passwords
    .verify(password, secret?.passwordHash, isKnown ? "known" : "new")
    .catch(async (error: unknown) => {
      await throttle.undo(attempt);
      throw error;
    });
  if (!isRight || secret?.passwordHash === undefined) {
    await recordFailedSignIn({ ...ctx, query: accounts.run }, secret?.account.email);
    return undefined;
  }
  await throttle.reset({ ...attempt, accountId: secret.account.id });
  return { ...secret, passwordHash: secret.passwordHash };
}

/** For a person who has signed in and repeats the password. */
export function wrongPassword(member: string): ServiceError {
  return invalidMember(member, "is not this account's password");
}
