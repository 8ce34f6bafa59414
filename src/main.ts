import { CommanderError } from "commander";
import { createProgram, translateAliases } from "./cli/program.ts";
import { EXIT_INTERRUPTED, InterruptedError } from "./cli/terminal/interrupt.ts";
import { BrokenPipeError, printStatus } from "./cli/terminal/output.ts";
import { bypassProxyForLoopback, ConfigError } from "./config.ts";
import { errorMessage, ServiceError } from "./errors.ts";
import { describeFileError } from "./platform/file-errors.ts";

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;
const LINGER_MS = 5_000; // time from a command's failure to the end of its process, in which an upload can be aborted

// Only their owner can read the files that this program creates.
process.umask(0o077);
bypassProxyForLoopback();
// Without this listener, writing to a closed pipe would end the program, although its work may matter even if nobody reads its
// output.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

// The launcher, or the supervisor of this worker, has died without being able to forward a signal.
process.on("disconnect", () => process.kill(process.pid, "SIGTERM"));
// The channel must not keep a command running after it has finished.
process.channel?.unref();

// Not awaited, because the bundle with bytecode (scripts/build-program.ts) is CommonJS, without top-level await.
run(translateAliases(process.argv.slice(2))).catch((error: unknown) => {
  // Commander has already printed its own errors. After a broken pipe, nobody would read an error.
  if (!(error instanceof CommanderError || error instanceof BrokenPipeError)) report(error);
  process.exitCode = exitCodeFor(error);
  // A connection that hangs must not keep a failed command from ending.
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
  // `invalid_body` is the code if the service's own rules refuse the value of an option, such as a weak password.
  const isUsage =
    error instanceof ConfigError || (error instanceof ServiceError && error.code === "invalid_body");
  return isUsage ? EXIT_USAGE : EXIT_FAILED;
}
