// Runs the Bun that npm installed with this project; the machine itself needs only Node.
import { spawn } from "node:child_process";
import { realpathSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Until its install script has run, Bun is a stub of a few hundred bytes; then about 90 MB. */
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
 * npm sends a signal only to the shell between npm and this process. The shell ends without forwarding it, so a changed
 * parent process is the only sign.
 */
function endWithParent(child) {
  const parent = process.ppid;
  setInterval(() => process.ppid === parent || child.kill("SIGTERM"), PARENT_CHECK_MS).unref();
}

/** Runs Bun with these arguments, and exits with its code or signal. */
export function runBun(args) {
  const child = spawn(bunProgram(), args, { stdio: "inherit" });
  // A terminal sends Ctrl-C to the child too; from anywhere else it must be forwarded.
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
