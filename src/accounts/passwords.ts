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

const PASSWORD_QUEUE_MAX = 64; // passwords waiting to be hashed; more are answered 503 at once
const PASSWORD_WAIT_MS = 5_000; // longest wait to be hashed; then 503

/** Cost of an argon2id hash (RFC 9106): memory in KiB, and passes. */
export interface PasswordCost {
  readonly memoryCost: number;
  readonly timeCost: number;
  /** Hash of an unknown password at this cost: an address without an account takes as long as one with. */
  readonly decoy: string;
}

/** OWASP's first recommendation for argon2id: 19 MiB of memory, two passes. */
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
    /** Hashes a password on a worker thread. @throws ServiceError `unavailable` if the queue is full */
    hash: (password: string) =>
      inTurn("new", () => Bun.password.hash(normalized(password), { algorithm: "argon2id", ...cost })),
    /**
     * True if the password matches the hash; without a hash always false, after the same time. Callers at a known address
     * have a thread of their own, so that guessing from many addresses cannot fill their queue.
     */
    verify: (password: string, hash: string | undefined, caller: "known" | "new") =>
      inTurn(caller, async () => {
        // Longer texts are refused unread: normalizing takes quadratic time.
        const isPossible = password !== "" && password.length <= 4 * PASSWORD_LENGTH_MAX;
        const isRight = await Bun.password.verify(isPossible ? normalized(password) : "x", hash ?? decoy);
        return isRight && isPossible && hash !== undefined;
      }),
  };
}

/** Hashes passwords on worker threads with bounded queues, without delaying other requests. */
type Passwords = ReturnType<typeof createPasswords>;

/**
 * Refuses a weak new password. @param member the body's member with the password
 * @throws ServiceError `invalid_body` for one that is too short, too long, among the most common, or the email address
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

/** Normalizes a password to NFKC, so that equal characters match on every keyboard (NIST SP 800-63B §3.1.1.2). */
function normalized(password: string): string {
  return password.normalize("NFKC");
}

let common: Promise<ReadonlySet<string>> | undefined;

/** The most common passwords: 380 kB, imported at the first new password. */
function commonPasswords(): Promise<ReadonlySet<string>> {
  common ??= import("@zxcvbn-ts/language-common").then(
    ({ dictionary }) => new Set(dictionary["passwords-common"]),
  );
  return common;
}

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
 * Checks a password at the same cost, and with the same answer, whether or not the account exists.
 *
 * @returns the account with its hash; undefined for a wrong password
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

/** Checks a person's own password. @throws ServiceError `invalid_body` for a wrong one; `rate_limited`, `unavailable` */
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
