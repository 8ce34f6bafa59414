// Runs the copy of Bun that npm installed with this project, so that the machine needs only Node.
import { spawn } from "node:child_process";
import { realpathSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { isatty } from "node:tty";
import { fileURLToPath } from "node:url";
import { withRuntimeSettings } from "./runtime.js";

/** Before the package's install script has run, `bun.exe` is a stub of a few hundred bytes; afterwards it has about 90 MB. */
const SMALLEST_BUN_BYTES = 1_000_000;
const PARENT_CHECK_MS = 200;

function bunProgram() {
  let manifest;
  try {
    manifest = createRequire(import.meta.url).resolve("bun/package.json");
  } catch {
    return stop("Bun is not installed here. Run: npm ci");
  }
  const program = join(dirname(manifest), "bin", "bun.exe");
  const size = statSync(program, { throwIfNoEntry: false })?.size ?? 0;
  if (size >= SMALLEST_BUN_BYTES) return program;
  // If bun is still a stub, install scripts are disabled, as they are by default in pnpm. Otherwise, bun's install script would
  // have copied the program from this package.
  const name = platformPackage();
  try {
    const file = process.platform === "win32" ? "bun.exe" : "bun";
    return createRequire(manifest).resolve(`${name}/bin/${file}`);
  } catch {
    return stop(
      `Bun's program is missing: neither ${name} nor bun's install script has brought it. Run: node ${join(dirname(manifest), "install.js")}`,
    );
  }
}

/** Returns the name of the optional npm package that contains Bun for this machine, as listed in bun's own package.json. */
function platformPackage() {
  const { platform, arch, report } = process;
  const system = { win32: "windows", android: "linux" }[platform] ?? platform;
  const isMusl = platform === "linux" && report.getReport().header.glibcVersionRuntime === undefined;
  const variant = platform === "android" ? "-android" : isMusl ? "-musl" : "";
  return `@oven/bun-${system}-${arch === "arm64" ? "aarch64" : arch}${variant}`;
}

/** @returns {never} */
function stop(message) {
  process.stderr.write(`petstore: ${message}\n`);
  process.exit(1);
}

/**
 * Stops the child when the parent process changes. npm sends a signal only to the shell between npm and this process, and that
 * shell ends without forwarding the signal, so a changed parent process is the only sign.
 */
function endWithParent(child) {
  const parent = process.ppid;
  setInterval(() => process.ppid === parent || child.kill("SIGTERM"), PARENT_CHECK_MS).unref();
}

/** Runs Bun with these arguments, and then exits with Bun's exit code or signal, or with SIGHUP if its terminal was closed. */
export function runBun(args) {
  const terminals = [0, 1, 2].filter((descriptor) => isatty(descriptor));
  // Nothing is sent through the IPC channel. It closes when this process dies, even by SIGKILL, and the child then exits
  // (src/main.ts).
  const child = spawn(bunProgram(), args, {
    env: withRuntimeSettings(process.env),
    stdio: ["inherit", "inherit", "inherit", "ipc"],
  });
  // A terminal sends Ctrl-C to the child as well. SIGINT from anywhere else must be forwarded.
  process.on("SIGINT", () => process.stdin.isTTY || child.kill("SIGINT"));
  for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  if (process.env["npm_lifecycle_event"]) endWithParent(child);
  child.on("error", (error) => stop(`Bun could not be started: ${error.message}`));
  child.on("exit", (code, signal) => {
    // If the terminal was closed, Node would abort at a normal exit, because it cannot restore the terminal's settings.
    const isTerminalClosed = terminals.some((descriptor) => !isatty(descriptor));
    const last = isTerminalClosed ? "SIGHUP" : signal;
    if (last === null) process.exit(code ?? 1);
    process.removeAllListeners(last);
    process.kill(process.pid, last);
  });
}

if (realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) runBun(process.argv.slice(2));
