import { parse } from "@babel/parser";
import type { SourceFile } from "./source.ts";

const parsed = new Map<string, ReturnType<typeof parse>>();

/** Syntax tree of a file, with its tokens; cached, because several checks use it. */
export function syntaxOf({ path, text }: SourceFile): ReturnType<typeof parse> {
  const known = parsed.get(text);
  if (known !== undefined) return known;
  const plugins: ("typescript" | "jsx")[] = path.endsWith(".tsx") ? ["typescript", "jsx"] : ["typescript"];
  const tree = parse(text, { sourceType: "module", plugins, attachComment: false, tokens: true });
  parsed.set(text, tree);
  return tree;
}
