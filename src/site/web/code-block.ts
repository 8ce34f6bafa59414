const TOKEN =
  /(?<name>"(?:[^"\\]|\\.)*"(?=\s*:))|(?<text>"(?:[^"\\]|\\.)*")|(?<number>-?\b\d[\d.eE+-]*)|(?<word>\b(?:true|false|null)\b)/g;

/** Colours JSON. The text stays as it is. */
export function highlight(block: HTMLElement): void {
  const code = block.textContent ?? "";
  if (!/^\s*[[{]/.test(code)) return;
  const parts: (Node | string)[] = [];
  let end = 0;
  for (const match of code.matchAll(TOKEN)) {
    const [kind] = Object.entries(match.groups ?? {}).find(([, value]) => value !== undefined) ?? [];
    parts.push(code.slice(end, match.index), element("span", { className: `json-${kind}` }, match[0]));
    end = match.index + match[0].length;
  }
  block.replaceChildren(...parts, code.slice(end));
}

/** Preformatted text that the keyboard can scroll. */
export function codeBlock(label: string, text: string): HTMLElement {
  const block = element("pre", { tabIndex: 0, role: "group", ariaLabel: label }, element("code", {}, text));
  highlight(block.firstElementChild as HTMLElement);
  return withCopy(block);
}

/** With a copy button where the browser lets pages copy: `navigator.clipboard` exists in secure contexts only. */
export function withCopy(block: HTMLElement): HTMLElement {
  if (!isSecureContext) return block;
  const button = element("button", { type: "button", className: "copy" }, "Copy");
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(block.textContent ?? "");
    button.textContent = "Copied";
    button.addEventListener("blur", () => (button.textContent = "Copy"), { once: true });
  });
  const around = element("div", { className: "code-block" });
  if (block.dataset["language"] !== undefined) around.dataset["language"] = block.dataset["language"];
  block.replaceWith(around);
  around.append(block, button);
  return around;
}

export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Partial<HTMLElementTagNameMap[Tag]>,
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}
