import { parseInt64 } from "exact-json/int64";
import { readJson } from "exact-json/read-json";
import { codeSamples, type SampleOperation, type SampleRequest } from "../reference/code-samples.ts";
import { openConnection } from "./connection.ts";
import { type Answer, send } from "./send.ts";

const forms = [...document.querySelectorAll<HTMLFormElement>("form.operation")];
const hidden = forms
  .filter(({ dataset }) => "hidden" in dataset)
  .map(({ dataset }): SampleOperation => JSON.parse(dataset["operation"] ?? ""));

const connection = openConnection(() => {
  for (const form of forms) showSamples(form);
});
for (const form of forms) openForm(form);
for (const block of document.querySelectorAll<HTMLElement>("main pre")) {
  highlight(block.firstElementChild as HTMLElement);
  withCopy(block);
}

function showSamples(form: HTMLFormElement) {
  for (const { label, source } of codeSamples(readForm(form, connection.server))) {
    const code = form.querySelector(`pre[data-language="${label}"] code`);
    if (code !== null) code.textContent = source;
  }
}

function openForm(form: HTMLFormElement) {
  form.addEventListener("input", ({ target }) => {
    if (!(target instanceof HTMLElement)) return;
    if (target instanceof HTMLInputElement && target.type === "radio") chooseLanguage(target.value);
    if (target instanceof HTMLSelectElement) fillExample(form, target);
    if (target.closest(".try") !== null) showSamples(form);
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void sendForm(form);
  });
}

function chooseLanguage(language: string) {
  for (const choice of document.querySelectorAll<HTMLInputElement>(".languages input"))
    choice.checked = choice.value === language;
}

function fillExample(form: HTMLFormElement, { value, dataset }: HTMLSelectElement) {
  const field = form.querySelector<HTMLTextAreaElement>(`#${dataset["fills"] ?? "none"}`);
  if (field !== null) field.value = value;
}

async function sendForm(form: HTMLFormElement) {
  const button = form.querySelector<HTMLButtonElement>(".send button");
  const status = form.querySelector<HTMLElement>(".send [role=status]");
  const place = form.querySelector<HTMLElement>(".answer");
  // An operation that must not be sent from the page has no Send button.
  if (button === null || status === null || place === null || button.ariaDisabled === "true") return;
  // The Send button's attribute `disabled` is not used, because the button would lose the focus.
  button.ariaDisabled = "true";
  status.textContent = "Sending…";
  showSamples(form);
  const answer = await send(readForm(form, connection.server), connection.key, hidden);
  button.ariaDisabled = null;
  status.textContent = answer.summary;
  status.className = `status status-${answer.kind}xx`;
  place.replaceChildren(...answerParts(answer));
  place.hidden = place.childElementCount === 0;
}

function answerParts({ headers, body }: Answer): readonly HTMLElement[] {
  return [
    ...(body === "" ? [] : [codeBlock("Answer's body", body)]),
    ...(headers === ""
      ? []
      : [
          element(
            "details",
            {},
            element("summary", {}, "Header fields"),
            codeBlock("Answer's header fields", headers),
          ),
        ]),
  ];
}

const TOKEN =
  /(?<name>"(?:[^"\\]|\\.)*"(?=\s*:))|(?<text>"(?:[^"\\]|\\.)*")|(?<number>-?\b\d[\d.eE+-]*)|(?<word>\b(?:true|false|null)\b)/g;

/** Adds colours to JSON. The text of the JSON does not change. */
function highlight(block: HTMLElement) {
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

/** Creates a block of preformatted text that can be scrolled with the keyboard. */
function codeBlock(label: string, text: string): HTMLElement {
  const block = element("pre", { tabIndex: 0, role: "group", ariaLabel: label }, element("code", {}, text));
  highlight(block.firstElementChild as HTMLElement);
  return withCopy(block);
}

/** Adds a copy button to a code block if `navigator.clipboard` exists, which is only the case in secure contexts. */
function withCopy(block: HTMLElement): HTMLElement {
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

function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Partial<HTMLElementTagNameMap[Tag]>,
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;
type Parameter = SampleRequest["parameters"][number];

/** Reads the request from an operation's form. Empty fields are left out unless they belong to the path. */
function readForm(form: HTMLFormElement, base: string): SampleRequest {
  const operation: SampleOperation = JSON.parse(form.dataset["operation"] ?? "");
  const fields = [...form.querySelectorAll<Field>("[data-in]")];
  const parameters = fields.flatMap((field): readonly Parameter[] => {
    const place = field.dataset["in"];
    if (place !== "path" && place !== "query" && place !== "header") return [];
    if (field.value === "" && place !== "path") return [];
    return [{ name: field.name, in: place, value: typedValue(field) }];
  });
  const body = fields.find(({ dataset }) => dataset["in"] === "body");
  return { operation, base, parameters, body: body && bodyOf(body) };
}

function typedValue({ value, dataset }: Field): unknown {
  if (dataset["kind"] === "array") return value.split(",").map(integerOrText);
  if (dataset["kind"] === "integer") return integerOrText(value);
  return dataset["kind"] === "boolean" ? value === "true" : value;
}

/** Parses an integer in canonical form. Returns any other text, such as `007` or `-0`, unchanged. */
function integerOrText(text: string): unknown {
  const integer = parseInt64(text);
  return String(integer) === text ? integer : text;
}

/**
 * Reads the request body from a field. The text is sent exactly as the person typed it. If it is JSON, code samples contain its
 * value.
 */
function bodyOf({ value: text, dataset }: Field): SampleRequest["body"] {
  const mediaType = dataset["mediaType"] ?? "";
  try {
    return { mediaType, text, value: readJson(text) };
  } catch (error) {
    if (error instanceof SyntaxError) return { mediaType, text, value: text };
    throw error;
  }
}
