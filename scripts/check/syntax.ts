import { parse } from "@babel/parser";
import type { SourceFile } from "./source.ts";

/** Counts of a file's code. */
export interface Syntax {
  /** Lines of each function whose body is a block; others, such as `x => x.id`, would lower the median. */
  readonly functions: readonly number[];
  /** Uses of the type `any`. */
  readonly anys: number;
}

/** The used members of a syntax tree node. */
interface Node {
  readonly type: string;
  readonly loc: { readonly start: { readonly line: number }; readonly end: { readonly line: number } };
  readonly body?: Node;
}

/** Syntax tree of a file. */
export function parseFile({ path, text }: SourceFile): ReturnType<typeof parse> {
  const plugins: ("typescript" | "jsx")[] = path.endsWith(".tsx") ? ["typescript", "jsx"] : ["typescript"];
  return parse(text, { sourceType: "module", plugins, attachComment: false });
}

const counted = new Map<string, Syntax>();

/** Counts a file's code. Several checks use the counts, which are cached; the trees of all files would take 300 MB. */
export function syntaxOf(file: SourceFile): Syntax {
  const known = counted.get(file.text);
  if (known !== undefined) return known;
  const tree = parseFile(file);
  const nodes: Node[] = [];
  collect(tree.program, nodes);
  const syntax = {
    functions: nodes.filter(hasStatements).map(({ loc }) => loc.end.line - loc.start.line + 1),
    anys: nodes.filter(({ type }) => type === "TSAnyKeyword").length,
  };
  counted.set(file.text, syntax);
  return syntax;
}

function hasStatements({ type, body }: Node): boolean {
  return /Function|ObjectMethod|ClassMethod/.test(type) && body?.type === "BlockStatement";
}

function collect(value: unknown, nodes: Node[]): void {
  if (typeof value !== "object" || value === null) return;
  if ("type" in value && "loc" in value) nodes.push(value as Node);
  for (const [name, child] of Object.entries(value)) if (name !== "loc") collect(child, nodes);
}
