/** One numbered step from one shape of the tables to the next. Once released, its text never changes. */
export interface Migration {
  /** Counts from 1 without gaps. */
  readonly number: number;
  readonly name: string;
  readonly sql: string;
}

/** The text of every step, as one engine says it. */
export interface MigrationTexts {
  readonly accountsAndKeys: string;
  readonly copyRun: string;
  readonly sessions: string;
  readonly deprecatedCalls: string;
  readonly petsCategoriesOrders: string;
  readonly messages: string;
  readonly messageEnvironment: string;
  readonly idempotency: string;
}

/** The steps of each kind of database, in order: the same numbers and names on every engine. */
export function migrationsFrom(texts: MigrationTexts) {
  return {
    accounts: [
      { number: 1, name: "accounts-and-keys", sql: texts.accountsAndKeys },
      { number: 2, name: "copy-run", sql: texts.copyRun },
      { number: 3, name: "sessions", sql: texts.sessions },
      { number: 4, name: "deprecated-calls", sql: texts.deprecatedCalls },
    ],
    store: [
      { number: 1, name: "pets-categories-orders", sql: texts.petsCategoriesOrders },
      { number: 2, name: "idempotency", sql: texts.idempotency },
    ],
    messages: [
      { number: 1, name: "messages", sql: texts.messages },
      { number: 2, name: "idempotency", sql: texts.idempotency },
      { number: 3, name: "environment", sql: texts.messageEnvironment },
    ],
  } as const satisfies Record<string, readonly Migration[]>;
}
