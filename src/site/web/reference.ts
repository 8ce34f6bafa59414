import { codeSamples, type SampleOperation } from "../../contract/openapi/code-samples.ts";
import { codeBlock, element, highlight, withCopy } from "./code-block.ts";
import { openConnection } from "./connection.ts";
import { readForm } from "./request-form.ts";
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

/** The samples, with what is in the form. */
function showSamples(form: HTMLFormElement): void {
  for (const { label, source } of codeSamples(readForm(form, connection.server))) {
    const code = form.querySelector(`pre[data-language="${label}"] code`);
    if (code !== null) code.textContent = source;
  }
}

function openForm(form: HTMLFormElement): void {
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

/** In every operation: who reads one language reads it everywhere. */
function chooseLanguage(language: string): void {
  for (const choice of document.querySelectorAll<HTMLInputElement>(".languages input"))
    choice.checked = choice.value === language;
}

function fillExample(form: HTMLFormElement, { value, dataset }: HTMLSelectElement): void {
  const field = form.querySelector<HTMLTextAreaElement>(`#${dataset["fills"] ?? "none"}`);
  if (field !== null) field.value = value;
}

async function sendForm(form: HTMLFormElement): Promise<void> {
  const button = form.querySelector<HTMLButtonElement>(".send button");
  const status = form.querySelector<HTMLElement>(".send [role=status]");
  const place = form.querySelector<HTMLElement>(".answer");
  // A hidden operation has none of them.
  if (button === null || status === null || place === null || button.ariaDisabled === "true") return;
  // `disabled` would take the focus from the keyboard.
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
