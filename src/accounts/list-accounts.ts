import type { Context } from "../context.ts";
import { type Account, selectAccounts } from "./store.ts";

/** Every account, newest first. */
export async function listAccounts(ctx: Context): Promise<readonly Account[]> {
  return ctx.query(selectAccounts, []);
}
