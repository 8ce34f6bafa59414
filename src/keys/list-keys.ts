import type { Context, Environment } from "../context.ts";
import { type ApiKey, selectKeys } from "./store.ts";

interface KeyFilter {
  readonly email?: string | undefined;
  readonly environment?: Environment | undefined;
}

/** Every key that matches, newest first, revoked and expired ones too. */
export async function listKeys(ctx: Context, { email, environment }: KeyFilter): Promise<readonly ApiKey[]> {
  const keys = await ctx.query(selectKeys);
  return keys.filter(
    (key) =>
      (email === undefined || key.email === email) &&
      (environment === undefined || key.environment === environment),
  );
}
