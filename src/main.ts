import { CommanderError } from "commander";
import { createProgram, translateAliases } from "./cli/program.ts";
import { EXIT_INTERRUPTED, InterruptedError } from "./cli/terminal/interrupt.ts";
import { BrokenPipeError, printStatus } from "./cli/terminal/output.ts";
import { bypassProxyForLoopback, ConfigError } from "./config.ts";
import { errorMessage, ServiceError } from "./errors.ts";
import { describeFileError } from "./platform/file-errors.ts";

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;
const LINGER_MS = 5_000; // from a command's failure to the end of its process, in which an upload is aborted

// Files of this program are readable by their owner only.
process.umask(0o077);
bypassProxyForLoopback();
// Without a listener any write to a closed pipe would end the program: its work may matter without a reader.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

// The launcher, or the supervisor of a worker process, died and could not pass a signal on.
process.on("disconnect", () => process.kill(process.pid, "SIGTERM"));
// The channel must not keep a command that is done from ending.
process.channel?.unref();

// Not awaited here: the bundle with bytecode (scripts/build-program.ts) is CommonJS.
run(translateAliases(process.argv.slice(2))).catch((error: unknown) => {
  // Commander has printed its own errors; after a broken pipe nobody reads.
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
  // `invalid_body`: an option's value that the service's own rules refuse, such as a password.
  const isUsage =
    error instanceof ConfigError || (error instanceof ServiceError && error.code === "invalid_body");
  return isUsage ? EXIT_USAGE : EXIT_FAILED;
}
