import { closeSync, fsyncSync, openSync, renameSync, rmSync } from "node:fs";

/**
 * Writes a temporary file with mode 0600 beside the target, flushes it, and renames it: a reader finds the old content or
 * the whole new one.
 *
 * @param beforeRename called when the temporary file is complete; throws to keep the target as it is
 */
export async function writeFileAtomically<Result>(
  file: string,
  write: (descriptor: number) => Result | Promise<Result>,
  beforeRename: () => void = () => {},
): Promise<Result> {
  const temporary = `${file}.${process.pid}.partial`;
  // A file that an interrupted program left under this name may have other permissions.
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
