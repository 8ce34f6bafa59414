#!/usr/bin/env node
import { join } from "node:path";
import { runBun } from "./bun.js";
import { PROJECT, programFile } from "./bundle.js";

// Without these Bun runs the preload of the current folder's bunfig.toml, takes settings from its .env, and finds imports
// by the paths of its tsconfig.json.
runBun([
  `--config=${join(PROJECT, "bunfig.toml")}`,
  `--tsconfig-override=${join(PROJECT, "tsconfig.json")}`,
  "--no-env-file",
  programFile(),
  ...process.argv.slice(2),
]);
