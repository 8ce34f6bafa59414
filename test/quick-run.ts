/** True in `npm test`: suites whose answers the engine does not decide run on SQLite alone (scripts/test.ts). */
export const isQuickRun = process.env["PETSTORE_TEST_QUICK"] === "1";
