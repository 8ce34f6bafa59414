// Runs the copy of Bun that npm installed with this project, so that the machine needs only Node.
import { spawn } from "node:child_process";
import { realpathSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { isatty } from "node:tty";
import { fileURLToPath } from "node:url";
import { withRuntimeSettings } from "./runtime.js";

/**
 * A file smaller than this is not Bun. Until the install script of the package `bun` has run, `bun.exe` is a placeholder of a few
 * hundred bytes. The real program has about 90 MB.
 */
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
  // `bun.exe` is still a placeholder, so install scripts are disabled, as they are by default in pnpm. The program is then in the
  // package from which the install script would have copied it.
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

/**
 * Returns the name of the npm package that contains Bun for this kind of machine. It is one of the optional dependencies of the
 * package `bun`.
 */
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
 * Stops the child process when the parent of this process has ended. npm starts this process through a shell and sends signals only
 * to that shell, which ends without forwarding them. A new parent is therefore the only sign that there was a signal.
 */
function endWithParent(child) {
  const parent = process.ppid;
  setInterval(() => process.ppid === parent || child.kill("SIGTERM"), PARENT_CHECK_MS).unref();
}

/**
 * Runs Bun with these arguments, and then ends in the same way as Bun, with its exit code or signal. If the terminal was closed,
 * ends with SIGHUP.
 */
export function runBun(args) {
  const terminals = [0, 1, 2].filter((descriptor) => isatty(descriptor));
  // The child process stops itself when the IPC channel closes (src/main.ts). The channel closes when this process dies, even by
  // SIGKILL. Nothing is sent over it.
  const child = spawn(bunProgram(), args, {
    env: withRuntimeSettings(process.env),
    stdio: ["inherit", "inherit", "inherit", "ipc"],
  });
  // A terminal also sends Ctrl-C to the child process. If there is no terminal, SIGINT has to be forwarded.
  process.on("SIGINT", () => process.stdin.isTTY || child.kill("SIGINT"));
  for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  if (process.env["npm_lifecycle_event"]) endWithParent(child);
  child.on("error", (error) => stop(`Bun could not be started: ${error.message}`));
  child.on("exit", (code, signal) => {
    // If the terminal was closed, Node would abort at a normal exit, because it could not restore the terminal's settings.
    const isTerminalClosed = terminals.some((descriptor) => !isatty(descriptor));
    const last = isTerminalClosed ? "SIGHUP" : signal;
    if (last === null) process.exit(code ?? 1);
    process.removeAllListeners(last);
    process.kill(process.pid, last);
  });
}

if (realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) runBun(process.argv.slice(2));
