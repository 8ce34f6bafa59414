#!/usr/bin/env node
import { fileURLToPath } from "node:url";
import { runBun } from "./bun.js";

const inProject = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

// Without these Bun runs the preload of the current folder's bunfig.toml, takes settings from its .env, and finds imports
// by the paths of its tsconfig.json.
runBun([
  `--config=${inProject("bunfig.toml")}`,
  `--tsconfig-override=${inProject("tsconfig.json")}`,
  "--no-env-file",
  inProject("src/main.ts"),
  ...process.argv.slice(2),
]);
