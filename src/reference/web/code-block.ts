import type { Child, System } from "./swagger-ui.ts";

interface CodeProps {
  readonly children: string;
  readonly label?: string;
  readonly className?: string;
}

/** Preformatted text that the keyboard can scroll, with a copy button and JSON highlighting. */
export function codeBlock({ React }: System) {
  const { createElement: h, useState } = React;
  return ({ children, label = "Example", className }: CodeProps) => {
    const [isCopied, setCopied] = useState(false);
    const copy = () => navigator.clipboard.writeText(children).then(() => setCopied(true));
    return h(
      "div",
      { className: "code-block" },
      // `navigator.clipboard` exists in secure contexts only.
      isSecureContext &&
        h("button", { type: "button", className: "copy", onClick: copy }, isCopied ? "Copied" : "Copy"),
      h(
        "pre",
        { tabIndex: 0, role: "group", "aria-label": label, className },
        h("code", null, ...highlighted(children, React)),
      ),
    );
  };
}

const TOKEN =
  /(?<name>"(?:[^"\\]|\\.)*"(?=\s*:))|(?<text>"(?:[^"\\]|\\.)*")|(?<number>-?\b\d[\d.eE+-]*)|(?<word>\b(?:true|false|null)\b)/g;

function highlighted(code: string, { createElement: h }: System["React"]): readonly Child[] {
  if (!/^\s*[[{]/.test(code)) return [code];
  const parts: Child[] = [];
  let end = 0;
  for (const match of code.matchAll(TOKEN)) {
    const [kind] = Object.entries(match.groups ?? {}).find(([, value]) => value !== undefined) ?? [];
    parts.push(code.slice(end, match.index), h("span", { className: `json-${kind}` }, match[0]));
    end = match.index + match[0].length;
  }
  return [...parts, code.slice(end)];
}
