import { closeSync, fsyncSync, openSync, renameSync, rmSync } from "node:fs";

/**
 * Writes a file, its owner's alone, beside its place, and moves it there once it is whole and on disk: whoever reads finds
 * what was there before, or all of it.
 *
 * @param mayTakePlace throws, when the file is whole, if it must not take its place after all
 */
export async function writeFileAtomically<Result>(
  file: string,
  write: (descriptor: number) => Result | Promise<Result>,
  mayTakePlace: () => void = () => {},
): Promise<Result> {
  const draft = `${file}.${process.pid}.partial`;
  // What an interrupted program left under this name may have other permissions.
  rmSync(draft, { force: true });
  try {
    const result = await writeFlushed(draft, write);
    mayTakePlace();
    renameSync(draft, file);
    return result;
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

async function writeFlushed<Result>(
  draft: string,
  write: (descriptor: number) => Result | Promise<Result>,
): Promise<Result> {
  const descriptor = openSync(draft, "wx", 0o600);
  try {
    const result = await write(descriptor);
    fsyncSync(descriptor);
    return result;
  } finally {
    closeSync(descriptor);
  }
}
