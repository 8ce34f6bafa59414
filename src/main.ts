import { CommanderError } from "commander";
import { createProgram, translateAliases } from "./cli/program.ts";
import { EXIT_INTERRUPTED, InterruptedError } from "./cli/terminal/interrupt.ts";
import { BrokenPipeError, printStatus } from "./cli/terminal/output.ts";
import { bypassProxyForLoopback } from "./config/environment.ts";
import { ConfigError } from "./config/settings.ts";
import { errorMessage, ServiceError } from "./errors.ts";
import { describeFileError } from "./platform/file-errors.ts";

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;
const LINGER_MS = 5_000; // after a command has failed, the process stays alive for this long, so that an upload can be aborted

// Only the owner can read the files that this program creates.
process.umask(0o077);
bypassProxyForLoopback();
// These listeners prevent a write to a closed pipe from ending the program. A command must finish its work even if nobody reads
// its output any more.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

// If the launcher or the supervisor that started this process has died, it can no longer forward signals, so this process ends
// itself.
process.on("disconnect", () => process.kill(process.pid, "SIGTERM"));
// The IPC channel must not keep the process alive after its command has finished.
process.channel?.unref();

// The call of `run` is not awaited, because the bundle with bytecode (scripts/build-program.ts) is a CommonJS module, which does
// not support top-level await.
run(translateAliases(process.argv.slice(2))).catch((error: unknown) => {
  // Commander has already printed its own errors. If the output is a broken pipe, nobody would read an error message.
  if (!(error instanceof CommanderError || error instanceof BrokenPipeError)) report(error);
  process.exitCode = exitCodeFor(error);
  // A connection that hangs must not keep the process alive after its command has failed.
  setTimeout(() => process.exit(), LINGER_MS).unref();
});

async function run(words: readonly string[]) {
  const program = await createProgram(words);
  await program.parseAsync(words, { from: "user" });
}

function report(error: unknown) {
  const text = describeFileError(error) ?? errorMessage(error);
  for (const line of text.split("\n")) printStatus(`petstore: ${line}`);
}

function exitCodeFor(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_USAGE;
  if (error instanceof InterruptedError) return EXIT_INTERRUPTED;
  // A service refuses an invalid value of an option, such as a weak password, with the code `invalid_body`.
  const isUsage =
    error instanceof ConfigError || (error instanceof ServiceError && error.code === "invalid_body");
  return isUsage ? EXIT_USAGE : EXIT_FAILED;
}
