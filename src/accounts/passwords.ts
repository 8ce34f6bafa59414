import { availableParallelism } from "node:os";
import type { Browser, Context, SessionActor } from "../context.ts";
import { invalidMember, type ServiceError, unavailable } from "../errors.ts";
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from "../limits.ts";
import { AcquireTimeoutError, createSemaphore, withPermit } from "../platform/semaphore.ts";
import type { Database } from "../storage/database.ts";
import { recordFailedSignIn } from "./audit/audit.ts";
import { hasPasswordLength } from "./contract.ts";
import type { LoginThrottle } from "./sessions/login-throttle.ts";
import { type AccountSecret, selectSecretByEmail } from "./store.ts";

const PASSWORD_QUEUE_MAX = 64; // passwords that wait to be hashed; more are answered 503 at once
const PASSWORD_WAIT_MS = 5_000; // of that wait; then 503

/** Cost of an argon2id hash (RFC 9106): memory in KiB, and passes over it. */
export interface PasswordCost {
  readonly memoryCost: number;
  readonly timeCost: number;
  /** Hash of an unknown password at this cost: an address without an account costs as much as one with. */
  readonly decoy: string;
}

/** OWASP's first choice: 19 MiB of memory, two passes. */
export const OWASP: PasswordCost = {
  memoryCost: 19_456,
  timeCost: 2,
  decoy:
    "$argon2id$v=19$m=19456,t=2,p=1$jGJE/HdTcw1vNuIeSdOiO4ImxZo4OVCVVvWsdbbi/yk$+FrYO0qCQ/G8pHQHD7NVNeOFCSIiLCNT4+rdFLc0AGQ",
};

export function createPasswords({ decoy, ...cost } = OWASP) {
  const permits = Math.max(1, Math.floor(availableParallelism() / 2));
  const limits = { queueMax: PASSWORD_QUEUE_MAX, waitMs: PASSWORD_WAIT_MS };
  const semaphores = {
    new: createSemaphore({ ...limits, permits }),
    known: createSemaphore({ ...limits, permits: 1 }),
  };

  function inTurn<Result>(caller: "known" | "new", work: () => Promise<Result>): Promise<Result> {
    return withPermit(semaphores[caller], work).catch((error: unknown) => {
      if (!(error instanceof AcquireTimeoutError)) throw error;
      throw unavailable("Too many people are signing in at this moment. Try again.");
    });
  }

  return {
    /** @throws ServiceError `unavailable` when too many are waiting */
    hash: (password: string) =>
      inTurn("new", () => Bun.password.hash(normalized(password), { algorithm: "argon2id", ...cost })),
    /**
     * Whether the password is the one that was hashed; with no hash it never is, after the same time. Known callers have
     * a thread of their own, so that those who guess from many addresses cannot fill their queue.
     */
    verify: (password: string, hash: string | undefined, caller: "known" | "new") =>
      inTurn(caller, async () => {
        // Longer than any password in any spelling: normalizing takes the square of the length.
        const isPossible = password !== "" && password.length <= 4 * PASSWORD_LENGTH_MAX;
        const isRight = await Bun.password.verify(isPossible ? normalized(password) : "x", hash ?? decoy);
        return isRight && isPossible && hash !== undefined;
      }),
  };
}

/** Hashing, a few at a time on threads of their own, so that requests beside it keep their pace. */
type Passwords = ReturnType<typeof createPasswords>;

/**
 * @param member the body's member it came in
 * @throws ServiceError `invalid_body` for a password that is too short, too long, or one of the most common
 */
export async function requireGoodPassword(
  password: string,
  email: string,
  member = "password",
): Promise<void> {
  if (!hasPasswordLength(password)) {
    throw invalidMember(member, `must have ${PASSWORD_LENGTH_MIN} to ${PASSWORD_LENGTH_MAX} characters`);
  }
  const guess = normalized(password).toLowerCase();
  if (guess === email || guess === email.split("@", 1)[0] || (await commonPasswords()).has(guess)) {
    throw invalidMember(member, "is one of the first that others would try; choose another");
  }
}

/** One spelling for the same characters on all keyboards (NIST SP 800-63B §3.1.1.2). */
function normalized(password: string): string {
  return password.normalize("NFKC");
}

let common: Promise<ReadonlySet<string>> | undefined;

/** 380 kB, imported at the first new password. */
function commonPasswords(): Promise<ReadonlySet<string>> {
  common ??= import("@zxcvbn-ts/language-common").then(
    ({ dictionary }) => new Set(dictionary["passwords-common"]),
  );
  return common;
}

/** Dependencies of verbs that check or set passwords. */
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

/**
 * Checks the password that a person who has signed in repeats.
 *
 * @returns its hash
 * @throws ServiceError `invalid_body` for another one; `rate_limited`, `unavailable`
 */
export async function requireOwnPassword(
  check: PasswordCheck,
  ctx: Context,
  browser: SessionActor,
  password: string,
  member = "password",
): Promise<string> {
  const secret = await checkPassword(check, ctx, { email: browser.email, password, browser });
  if (secret === undefined) throw wrongPassword(member);
  return secret.passwordHash;
}

export function wrongPassword(member: string): ServiceError {
  return invalidMember(member, "is not this account's password");
}
