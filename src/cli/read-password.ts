import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { note } from "./output.ts";

/** A password from a prompt that does not show it, or the first line of standard input when that is not a terminal. */
export async function readPassword(): Promise<string> {
  if (!process.stdin.isTTY) return (await Bun.stdin.text()).split(/\r?\n/, 1)[0] ?? "";
  process.stderr.write("Password: ");
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const prompt = createInterface({ input: process.stdin, output: silent, terminal: true });
  try {
    return await prompt.question("");
  } finally {
    prompt.close();
    note("");
  }
}
