import { errorMessage } from "../../errors.ts";
import { describeFileError } from "../../platform/file-errors.ts";
import type { OnProgress } from "../../storage/backup/backup.ts";
import { escapeControls } from "./escape-controls.ts";
import { InterruptedError, listenForInterrupt } from "./interrupt.ts";
import { type Progress, startProgress } from "./progress.ts";

/**
 * Runs work in steps, and shows them on a progress line. Ctrl-C or SIGTERM stops the work after the current step.
 *
 * @param interrupted a sentence to show after an interruption; it says that nothing was changed, or how to continue
 * @throws Error whose control characters are escaped, because its message may quote names from a malicious file
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
    // Ends the current turn of the event loop, because the process receives signals only between two turns.
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
