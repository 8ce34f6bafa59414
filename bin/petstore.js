#!/usr/bin/env node
import { join } from "node:path";
import { runBun } from "./bun.js";
import { PROJECT, programFile } from "./bundle.js";

// These options keep Bun from reading files in the current folder: bunfig.toml (preload), .env, and the paths in tsconfig.json.
runBun([
  `--config=${join(PROJECT, "bunfig.toml")}`,
  `--tsconfig-override=${join(PROJECT, "tsconfig.json")}`,
  "--no-env-file",
  programFile(),
  ...process.argv.slice(2),
]);
