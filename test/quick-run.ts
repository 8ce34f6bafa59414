/** True in `npm test`: suites that do not depend on the engine run on SQLite only (scripts/test.ts). */
export const isQuickRun = process.env["PETSTORE_TEST_QUICK"] === "1";
