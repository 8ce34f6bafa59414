import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { InterruptedError } from "./interrupt.ts";
import { printStatus } from "./output.ts";

/**
 * Reads a secret from a prompt without echo, or the first line of standard input when that is not a terminal.
 *
 * @throws InterruptedError
 */
export async function readSecret(title: string): Promise<string> {
  if (!process.stdin.isTTY) return (await Bun.stdin.text()).split(/\r?\n/, 1)[0] ?? "";
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const prompt = createInterface({ input: process.stdin, output: silent, terminal: true });
  const ended = Promise.withResolvers<never>();
  const interrupt = () => ended.reject(new InterruptedError("Interrupted."));
  prompt.on("SIGINT", interrupt).on("close", interrupt);
  // Only now: before the prompt is open the terminal echoes what is typed.
  process.stderr.write(`${title}: `);
  try {
    return await Promise.race([prompt.question(""), ended.promise]);
  } finally {
    prompt.close();
    printStatus("");
  }
}
