import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { InterruptedError } from "./interrupt.ts";
import { printStatus } from "./output.ts";

/**
 * A secret from a prompt that does not show it, or the first line of standard input when that is not a terminal.
 *
 * @throws InterruptedError
 */
export async function readSecret(title: string): Promise<string> {
  if (!process.stdin.isTTY) return (await Bun.stdin.text()).split(/\r?\n/, 1)[0] ?? "";
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const prompt = createInterface({ input: process.stdin, output: silent, terminal: true });
  const ended = Promise.withResolvers<never>();
  const giveUp = () => ended.reject(new InterruptedError("Interrupted."));
  prompt.on("SIGINT", giveUp).on("close", giveUp);
  // Only now: what is typed at once, on a terminal that still echoes, would be seen.
  process.stderr.write(`${title}: `);
  try {
    return await Promise.race([prompt.question(""), ended.promise]);
  } finally {
    prompt.close();
    printStatus("");
  }
}
