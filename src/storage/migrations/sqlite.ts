import { migrationsFrom } from "./migration.ts";
import accountsAndKeys from "./sqlite/accounts/0001-accounts-and-keys.sql" with { type: "text" };
import copyRun from "./sqlite/accounts/0002-copy-run.sql" with { type: "text" };
import sessions from "./sqlite/accounts/0003-sessions.sql" with { type: "text" };
import deprecatedCalls from "./sqlite/accounts/0004-deprecated-calls.sql" with { type: "text" };
import messages from "./sqlite/messages/0001-messages.sql" with { type: "text" };
import messageEnvironment from "./sqlite/messages/0003-environment.sql" with { type: "text" };
import idempotency from "./sqlite/shared/0002-idempotency.sql" with { type: "text" };
import petsCategoriesOrders from "./sqlite/store/0001-pets-categories-orders.sql" with { type: "text" };

// Imported one by one, so that a single-file program holds them.
export const sqliteMigrations = migrationsFrom({
  accountsAndKeys,
  copyRun,
  sessions,
  deprecatedCalls,
  petsCategoriesOrders,
  messages,
  messageEnvironment,
  idempotency,
});
