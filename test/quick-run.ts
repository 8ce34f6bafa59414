/** True if `npm test` started this run. Tests that do not depend on the database then run on SQLite only (scripts/test.ts). */
export const isQuickRun = process.env["PETSTORE_TEST_QUICK"] === "1";
