/** True when `npm test` runs. Suites that do not depend on the engine then run on SQLite only (scripts/test.ts). */
export const isQuickRun = process.env["PETSTORE_TEST_QUICK"] === "1";
