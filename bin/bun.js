// Runs the Bun that npm installed with this project, on a machine that needs nothing but Node.
import { spawn } from "node:child_process";
import { realpathSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The stub that stands in until Bun's install script has run is a few hundred bytes; Bun is about 90 MB. */
const SMALLEST_BUN_BYTES = 1_000_000;
const PARENT_CHECK_MS = 200;

function bunProgram() {
  const require = createRequire(import.meta.url);
  let folder;
  try {
    folder = dirname(require.resolve("bun/package.json"));
  } catch {
    return stop("Bun is not installed here. Run: npm ci");
  }
  const program = join(folder, "bin", "bun.exe");
  const size = statSync(program, { throwIfNoEntry: false })?.size ?? 0;
  if (size < SMALLEST_BUN_BYTES) {
    return stop(
      `Bun's program is missing, because npm ran with install scripts off. Run: node ${join(folder, "install.js")}`,
    );
  }
  return program;
}

/** @returns {never} */
function stop(message) {
  process.stderr.write(`petstore: ${message}\n`);
  process.exit(1);
}

/**
 * npm hands a signal on to the shell between us, and the shell dies of it without a word: the only sign is that we
 * have another parent.
 */
function endWithParent(child) {
  const parent = process.ppid;
  setInterval(() => process.ppid === parent || child.kill("SIGTERM"), PARENT_CHECK_MS).unref();
}

/** Runs Bun with these arguments and ends as it ends. */
export function runBun(args) {
  const child = spawn(bunProgram(), args, { stdio: "inherit" });
  // Ctrl-C reaches the child from the terminal itself; from anywhere else it has to be handed on.
  process.on("SIGINT", () => process.stdin.isTTY || child.kill("SIGINT"));
  for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  if (process.env["npm_lifecycle_event"]) endWithParent(child);
  child.on("error", (error) => stop(`Bun could not be started: ${error.message}`));
  child.on("exit", (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

if (realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) runBun(process.argv.slice(2));
