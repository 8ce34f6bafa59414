import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { Option } from "commander";
import { InterruptedError } from "./interrupt.ts";
import { printStatus } from "./output.ts";

/**
 * Reads a secret from a prompt without echo or, if there is no terminal, from the first line of standard input.
 *
 * @throws InterruptedError
 */
export async function readSecret(title: string): Promise<string> {
  if (!process.stdin.isTTY) return (await Bun.stdin.text()).split(/\r?\n/, 1)[0] ?? "";
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  try {
    return await ask(`${title}: `, silent);
  } finally {
    printStatus("");
  }
}

export interface ConfirmOptions {
  readonly yes?: true | undefined;
}

export function yesOption(): Option {
  return new Option("-y, --yes", "do not ask for confirmation (without a terminal, petstore never asks)");
}

/** Asks for confirmation, but only on a terminal and without `--yes`. @throws Error if the answer is not yes; InterruptedError */
export async function confirm(question: string, { yes }: ConfirmOptions): Promise<void> {
  if (yes || !process.stdin.isTTY || !process.stderr.isTTY) return;
  const answer = await ask(`${question} [y/N] `, process.stderr);
  if (!/^y(es)?$/i.test(answer.trim())) throw new Error("Nothing was changed, because you did not confirm.");
}

/** Asks a question on the terminal. @throws InterruptedError at Ctrl-C and Ctrl-D */
async function ask(title: string, output: NodeJS.WritableStream): Promise<string> {
  const prompt = createInterface({ input: process.stdin, output, terminal: true });
  const ended = Promise.withResolvers<never>();
  const interrupt = () => ended.reject(new InterruptedError("Interrupted."));
  prompt.on("SIGINT", interrupt).on("close", interrupt);
  // The title is written only when the prompt is open, because until then the terminal shows whatever the person types.
  process.stderr.write(title);
  try {
    return await Promise.race([prompt.question(""), ended.promise]);
  } finally {
    prompt.close();
  }
}
