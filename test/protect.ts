import { expect } from "bun:test";
import { chmodSync } from "node:fs";

/**
 * Makes a file or folder read-only, or writable again. Uses the file system's immutable attribute, because root ignores file
 * permissions.
 */
export function protect(path: string, isProtected: boolean): void {
  if (process.getuid?.() !== 0) chmodSync(path, isProtected ? 0o500 : 0o700);
  else expect(Bun.spawnSync(["chattr", isProtected ? "+i" : "-i", path]).exitCode).toBe(0);
}
