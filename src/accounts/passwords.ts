import { availableParallelism } from "node:os";
import type { Browser, Context, SessionActor } from "../context.ts";
import { invalidMember, type ServiceError, unavailable } from "../errors.ts";
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from "../limits.ts";
import { createKept } from "../platform/kept.ts";
import { AcquireTimeoutError, createSemaphore, withPermit } from "../platform/semaphore.ts";
import type { Database } from "../storage/database.ts";
import { recordFailedSignIn } from "./audit/audit.ts";
import { hasPasswordLength } from "./contract.ts";
import type { LoginThrottle } from "./sessions/login-throttle.ts";
import { type AccountSecret, selectSecretByEmail } from "./store.ts";

const PASSWORD_QUEUE_MAX = 64; // maximum number of passwords that may wait to be hashed; further requests get a 503 at once
const PASSWORD_WAIT_MS = 5_000; // maximum time that a password may wait to be hashed; after that, the request gets a 503
// Characters that are ignored when a new password is compared with common ones. There are three comparisons: the first ignores
// only invisible characters, the second also ignores punctuation, and the third also ignores digits.
const OMITTED = [/\p{DI}/gu, /[^\p{L}\p{M}\p{N}]/gu, /[^\p{L}\p{M}]/gu];

/** Cost of an argon2id hash (RFC 9106): memory in KiB, and number of passes. */
export interface PasswordCost {
  readonly memoryCost: number;
  readonly timeCost: number;
  /**
   * The hash of an unknown password, computed with this cost. If an email address has no account, the password is checked against
   * this hash, so that the check takes as long as for an address with an account.
   */
  readonly decoy: string;
}

/** The first configuration that OWASP recommends for argon2id: 19 MiB of memory and two passes. */
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
      throw unavailable("Too many people are signing in right now. Try again.");
    });
  }

  return {
    /** Hashes a password on a worker thread. @throws ServiceError `unavailable` if the queue is full */
    hash: (password: string) =>
      inTurn("new", () => Bun.password.hash(normalized(password), { algorithm: "argon2id", ...cost })),
    /**
     * Returns true if the password matches the hash. Without a hash, the check takes the same time, and returns false. Callers at
     * a known network address have a separate thread and queue, so that an attacker who guesses passwords from many addresses
     * cannot delay them.
     */
    verify: (password: string, hash: string | undefined, caller: "known" | "new") =>
      inTurn(caller, async () => {
        // A password that is too long is not normalized, because normalizing takes quadratic time.
        const isPossible = password !== "" && password.length <= 4 * PASSWORD_LENGTH_MAX;
        const isRight = await Bun.password.verify(isPossible ? normalized(password) : "x", hash ?? decoy);
        return isRight && isPossible && hash !== undefined;
      }),
  };
}

/** Hashes passwords on worker threads with bounded queues, without delaying other requests. */
type Passwords = ReturnType<typeof createPasswords>;

/**
 * Refuses a weak new password.
 *
 * @param member the member of the request body that contains the password
 * @throws ServiceError `invalid_body` for a password that is too short, too long, or easy to guess
 */
export async function requireGoodPassword(
  password: string,
  email: string,
  member = "password",
): Promise<void> {
  if (!hasPasswordLength(password)) {
    throw invalidMember(member, `must have ${PASSWORD_LENGTH_MIN} to ${PASSWORD_LENGTH_MAX} characters`);
  }
  const weakness = weaknessOf(normalized(password).toLowerCase(), email, await commonPasswords());
  if (weakness === undefined) return;
  const refusal = `is too easy to guess: ${weakness}`;
  throw invalidMember(member, `${refusal}. Try a few unrelated words`);
}

function weaknessOf(password: string, email: string, common: ReadonlySet<string>): string | undefined {
  const whole = [password, email, email.split("@", 1)[0] ?? email].map(normalized);
  for (const [at, characters] of OMITTED.entries()) {
    const [spelling = "", ...own] = whole.map((one) => one.replaceAll(characters, ""));
    if (at > 0 && spelling.length < PASSWORD_LENGTH_MIN) continue;
    const [stem = ""] = /^.*[\p{L}\p{M}]/su.exec(spelling) ?? []; // the password without digits and symbols at its end
    const text = withLetters(spelling);
    // Characters are cut off the end of the password until a common password remains: at most half of the characters, or 5 if that
    // is more. Cutting off more would refuse 4 % of random numbers, because they begin with a common password.
    const shortest = Math.max(stem.length || text.length / 2, Math.min(text.length / 2, text.length - 5));
    for (let end = text.length; end >= shortest; end--) {
      const start = text.slice(0, end);
      if (own.map(withLetters).includes(start)) return "it is the email address";
      if (common.has(start) || STEPS.includes(start))
        return "it is a common password, perhaps with added digits or symbols";
    }
    if (isRepetition(spelling) || isRepetition(spelling.slice(0, shortest))) return "it repeats itself";
  }
  return undefined;
}

/**
 * Returns true if a text consists of a repeated part, as `abcabc` and `abcabca` do. The part is at most half as long as the text.
 * A regular expression would take cubic time.
 */
function isRepetition(text: string): boolean {
  return [...text].some((_, at) => at > 0 && at <= text.length / 2 && text.startsWith(text.slice(at)));
}

/**
 * Normalizes a password to NFKC, so that it matches no matter how a keyboard encodes its characters (NIST SP 800-63B §3.1.1.2).
 */
function normalized(password: string): string {
  return password.normalize("NFKC");
}

// The letter `l` is replaced with `i`, because people type the digit `1` in place of either letter.
const LETTERS = ["0o", "1i", "3e", "4a", "5s", "7t", "8b", "9g", "@a", "$s", "!i", "li"];
const STEPS = withLetters("abcdefghijklmnopqrstuvwxyz zyxwvutsrqponmlkjihgfedcba 01234567890 0987654321");

/** Replaces digits and punctuation marks with the letters that they usually stand for. */
function withLetters(text: string): string {
  return LETTERS.reduce((before, [digit = "", letter = ""]) => before.replaceAll(digit, letter), text);
}

/** The list of common passwords. It is loaded when it is first needed, and then kept in memory. */
const common = createKept<ReadonlySet<string>>(Number.POSITIVE_INFINITY);

/**
 * Imports the most common passwords, adds the product's name, and replaces digits by letters. The list has 380 kB, so it is
 * imported only when the first new password is set. The import fails while `npm ci` replaces the packages.
 */
function commonPasswords(): Promise<ReadonlySet<string>> {
  return common.find(0, undefined, async () => {
    const { dictionary } = await import("@zxcvbn-ts/language-common");
    return new Set(withLetters(`petstore\n${dictionary["passwords-common"].join("\n")}`).split("\n"));
  });
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
 * Checks a password. The check takes the same time whether or not the account exists, so the time does not reveal it.
 *
 * @returns the account and its password hash; undefined for a wrong password
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
 * Checks the signed-in person's own password.
 *
 * @throws ServiceError `invalid_body` for a wrong password; `rate_limited`, `unavailable`
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
