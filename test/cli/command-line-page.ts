import { blocksIn } from "../repository/documents.ts";
import { type Step, stepsOf } from "../repository/terminal.ts";
import { callsIn } from "./commands.ts";

export const page = await Bun.file(new URL("../../docs/guides/command-line.md", import.meta.url)).text();
/** A transcript of every command on a terminal, with its output. */
export const transcript = await Bun.file(new URL("transcript.md", import.meta.url)).text();

export function transcriptsOf(text: string): readonly Step[] {
  return blocksIn(text, "console").flatMap(stepsOf);
}

export function linesOf(text: string): readonly string[] {
  return blocksIn(text, "sh").flatMap((block) =>
    block
      .trimEnd()
      .split("\n")
      .map((line) => line.replace(/\s+# .*$/, "")),
  );
}

export function callsOf(text: string): readonly (readonly string[])[] {
  return [...transcriptsOf(text).map(({ command }) => command), ...linesOf(text)].flatMap(callsIn);
}
