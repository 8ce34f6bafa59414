import { writeFileSync } from "node:fs";

// A program preloads this file, which writes the paths of all loaded modules when the program ends.

const file = process.env["PETSTORE_TEST_MODULES"];
process.on("exit", () => {
  if (file !== undefined) writeFileSync(file, Object.keys(require.cache).join("\n"));
});
