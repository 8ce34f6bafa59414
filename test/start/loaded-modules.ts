import { writeFileSync } from "node:fs";

// This file is preloaded into a program. When the program ends, it writes the paths of the modules that were loaded.

const file = process.env["PETSTORE_TEST_MODULES"];
process.on("exit", () => {
  if (file !== undefined) writeFileSync(file, Object.keys(require.cache).join("\n"));
});
