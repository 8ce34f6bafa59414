import type { Migration } from "./migration.ts";
import accountsAndKeys from "./postgres/accounts/0001-accounts-and-keys.sql" with { type: "text" };
import copyRun from "./postgres/accounts/0002-copy-run.sql" with { type: "text" };
import messages from "./postgres/messages/0001-messages.sql" with { type: "text" };
import idempotency from "./postgres/shared/0002-idempotency.sql" with { type: "text" };
import petsCategoriesOrders from "./postgres/store/0001-pets-categories-orders.sql" with { type: "text" };

/** The steps of each kind of database, in order. Imported one by one, so that a single-file program holds them. */
export const postgresMigrations = {
  accounts: [
    { number: 1, name: "accounts-and-keys", sql: accountsAndKeys },
    { number: 2, name: "copy-run", sql: copyRun },
  ],
  store: [
    { number: 1, name: "pets-categories-orders", sql: petsCategoriesOrders },
    { number: 2, name: "idempotency", sql: idempotency },
  ],
  messages: [
    { number: 1, name: "messages", sql: messages },
    { number: 2, name: "idempotency", sql: idempotency },
  ],
} as const satisfies Record<string, readonly Migration[]>;
