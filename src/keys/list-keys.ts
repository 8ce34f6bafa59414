import type { Context, Environment } from "../context.ts";
import { ServiceError } from "../errors.ts";
import { type ApiKey, selectKey, selectKeys, selectKeysOfAccount } from "./store.ts";

export interface KeyFilter {
  readonly accountId?: number | undefined;
  readonly environment?: Environment | undefined;
}

/** Every key that matches, newest first, revoked and expired ones too. */
export async function listKeys(ctx: Context, filter: KeyFilter): Promise<readonly ApiKey[]> {
  const { accountId } = filter;
  const keys = await (accountId === undefined
    ? ctx.query(selectKeys, [])
    : ctx.query(selectKeysOfAccount, [accountId]));
  return keys.filter((key) => isWithin(key, filter));
}

/** @throws ServiceError `not_found`, also for a key of another account */
export async function requireKey({ query }: Context, keyId: string, within: KeyFilter): Promise<ApiKey> {
  const [key] = await query(selectKey, [keyId]);
  if (key !== undefined && isWithin(key, within)) return key;
  throw new ServiceError("not_found", `There is no key ${keyId}.`);
}

function isWithin(key: ApiKey, { accountId, environment }: KeyFilter): boolean {
  return [undefined, key.accountId].includes(accountId) && [undefined, key.environment].includes(environment);
}
