import { errorMessage } from "../../errors.ts";
import { describeFileError } from "../../platform/file-errors.ts";
import type { OnProgress } from "../../storage/backup/backup.ts";
import { escapeControls } from "./escape-controls.ts";
import { InterruptedError, listenForInterrupt } from "./interrupt.ts";
import { type Progress, startProgress } from "./progress.ts";

/**
 * Runs work that reports its steps on a progress line. Ctrl-C or SIGTERM stops it after a step.
 *
 * @param interrupted a sentence that says what an interruption leaves behind, or how to continue
 * @throws Error with control characters escaped, because it may quote names from a forged file
 */
export async function inSteps<Result>(
  interrupted: string,
  work: (onProgress: OnProgress) => Promise<Result>,
): Promise<Result> {
  using interrupt = listenForInterrupt();
  let current: { title: string; progress: Progress } | undefined;
  const onProgress: OnProgress = async (title, done, total) => {
    if (current?.title !== title) {
      current?.progress.end();
      current = { title, progress: startProgress(title, total) };
    }
    current.progress.update(done);
    // The current turn of the event loop must end here, because signals are received only between two turns.
    await new Promise((resolve) => setImmediate(resolve));
    if (interrupt.signal.aborted) throw new InterruptedError(`Interrupted. ${interrupted}`);
  };
  try {
    return await work(onProgress);
  } catch (error) {
    if (error instanceof InterruptedError) throw error;
    const text = describeFileError(error) ?? errorMessage(error);
    throw new Error(escapeControls(text), { cause: error });
  } finally {
    current?.progress.end();
  }
}
