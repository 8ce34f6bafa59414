import { change } from "../accounts/audit/audited.ts";
import type { Context, Environment } from "../context.ts";
import type { AccessLevel } from "../contract/operation.ts";
import { invalidMember, ServiceError } from "../errors.ts";
import { randomBase62 } from "../platform/random.ts";
import { singleRow } from "../storage/row.ts";
import { type ApiKey, insertKey, selectKey, selectKeyOwner } from "./store.ts";
import { createToken, hashToken, redactToken } from "./token.ts";

const KEY_NAME_LENGTH_MAX = 100; // characters; a longer name of an API key is refused

export interface NewKey {
  readonly accountId: number;
  readonly environment: Environment;
  readonly name: string;
  readonly access: AccessLevel;
  /** Milliseconds since 1970; a key without it does not expire. */
  readonly expiresAt?: number | undefined;
}

/** A key that was just made. `token` is the key itself, and is shown this once. */
export interface IssuedKey {
  readonly key: ApiKey;
  readonly token: string;
}

const ID_LENGTH = 16;

/**
 * Makes an API key.
 *
 * @throws ServiceError `not_found` for an account that is gone, `forbidden` for a viewer's key that may write,
 *   `invalid_body` for a name or an expiry that will not do
 */
export async function createKey(ctx: Context, input: NewKey): Promise<IssuedKey> {
  if (input.name === "" || input.name.length > KEY_NAME_LENGTH_MAX || /\p{Cc}/u.test(input.name)) {
    const detail = `must have 1 to ${KEY_NAME_LENGTH_MAX} characters, none of them a control character`;
    throw invalidMember("name", detail);
  }
  if (input.expiresAt !== undefined && input.expiresAt <= ctx.now) {
    throw invalidMember("expiresAt", "must lie in the future");
  }
  const { id, token, hash, redacted } = newKeySecret(ctx, input.environment);
  const { accountId, environment, name, access, expiresAt = null } = input;
  const made = await change(
    ctx,
    insertKey,
    [id, accountId, environment, name, access, hash, ctx.now, expiresAt, redacted],
    () => ({
      subject: id,
      detail: `${access}, ${name}`,
    }),
  );
  if (made.length === 0) throw await refusalFor(ctx, accountId);
  return { key: singleRow(await ctx.query(selectKey, [id])), token };
}

/** A key's identifier, the key itself, and what is stored of it. */
export function newKeySecret({ randomBytes }: Context, environment: Environment) {
  const token = createToken(environment, randomBytes);
  const id = `key_${randomBase62(randomBytes, ID_LENGTH)}`;
  return { id, token, hash: hashToken(token), redacted: redactToken(token) };
}

async function refusalFor({ query }: Context, accountId: number): Promise<ServiceError> {
  const owners = await query(selectKeyOwner, [accountId]);
  return owners.length === 0
    ? new ServiceError("not_found", "The account is gone.")
    : new ServiceError(
        "forbidden",
        "The account is a viewer's: its keys may only read. Choose the access read.",
      );
}
