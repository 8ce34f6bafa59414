import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { PROGRAM } from "../wire/process.ts";

/** Creates the command `petstore` in this folder. Returns a PATH on which the shell finds it. */
export function petstoreOnPath(folder: string): string {
  const bin = join(folder, "bin");
  mkdirSync(bin);
  const command = PROGRAM.command.map((word) => `'${word}'`).join(" ");
  writeFileSync(join(bin, "petstore"), `#!/bin/sh\nexec ${command} "$@"\n`);
  chmodSync(join(bin, "petstore"), 0o755);
  return bin + delimiter + (process.env["PATH"] ?? "");
}
