import { closeSync, fsyncSync, openSync, renameSync, rmSync } from "node:fs";

/**
 * Writes a temporary file with mode 0600 in the target's folder, flushes it to disk, and renames it to the target. A reader of the
 * target therefore finds either the complete old content or the complete new content.
 *
 * @param beforeRename called when the temporary file is complete; if it throws, the target stays unchanged
 */
export async function writeFileAtomically<Result>(
  file: string,
  write: (descriptor: number) => Result | Promise<Result>,
  beforeRename: () => void = () => {},
): Promise<Result> {
  const temporary = `${file}.${process.pid}.partial`;
  // Removes a temporary file that an interrupted run may have left, because its permissions may differ.
  rmSync(temporary, { force: true });
  try {
    const result = await writeFlushed(temporary, write);
    beforeRename();
    renameSync(temporary, file);
    return result;
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

async function writeFlushed<Result>(
  temporary: string,
  write: (descriptor: number) => Result | Promise<Result>,
): Promise<Result> {
  const descriptor = openSync(temporary, "wx", 0o600);
  try {
    const result = await write(descriptor);
    fsyncSync(descriptor);
    return result;
  } finally {
    closeSync(descriptor);
  }
}
