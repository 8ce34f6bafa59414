import { migrationsFrom } from "./migration.ts";
import accountsAndKeys from "./sqlite/accounts/0001-accounts-and-keys.sql" with { type: "text" };
import copyRun from "./sqlite/accounts/0002-copy-run.sql" with { type: "text" };
import messages from "./sqlite/messages/0001-messages.sql" with { type: "text" };
import idempotency from "./sqlite/shared/0002-idempotency.sql" with { type: "text" };
import petsCategoriesOrders from "./sqlite/store/0001-pets-categories-orders.sql" with { type: "text" };

// Imported one by one, so that a single-file program holds them.
export const sqliteMigrations = migrationsFrom({
  accountsAndKeys,
  copyRun,
  petsCategoriesOrders,
  messages,
  idempotency,
});
