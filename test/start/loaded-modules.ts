import { writeFileSync } from "node:fs";

// A preload for a program. When the program ends, it writes the paths of the loaded modules.

const file = process.env["PETSTORE_TEST_MODULES"];
process.on("exit", () => {
  if (file !== undefined) writeFileSync(file, Object.keys(require.cache).join("\n"));
});
