import { writeFileSync } from "node:fs";

// Preloaded into a program, it writes the paths of the modules that were loaded when the program ends.

const file = process.env["PETSTORE_TEST_MODULES"];
process.on("exit", () => {
  if (file !== undefined) writeFileSync(file, Object.keys(require.cache).join("\n"));
});
