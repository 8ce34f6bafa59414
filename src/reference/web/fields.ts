import type { Component, Plugin, System, Tree } from "./swagger-ui.ts";

/** Form controls with accessible names. They report every keystroke: what is on the screen is sent. */
export const fieldsPlugin: Plugin = () => ({
  wrapComponents: {
    JsonSchema_string: (_original, system) => textField(system),
    JsonSchema_array: (_original, system) => listField(system),
    TextArea: (_original, system) => bodyField(system),
    ExamplesSelect: (original, system) => labelledExamples(original, system),
    contentType: (original, { React }) => withoutDoubledId(original, React),
  },
});

interface FieldProps {
  readonly value?: string | null;
  readonly onChange: (value: string) => void;
  readonly description: string;
  readonly required?: boolean;
  readonly disabled?: boolean;
  readonly errors?: Plain;
  readonly schema: Plain;
}

/** swagger-ui passes plain values or Immutable ones. */
type Plain = Tree | readonly unknown[] | string | null | undefined;

function plain(value: Plain): unknown {
  return typeof value === "object" && value !== null && "toJS" in value ? value.toJS() : value;
}

interface InputEvent {
  readonly target: { readonly value: string };
}

function textField({ React: { createElement: h } }: System) {
  return ({ value, onChange, description, required, disabled, errors, schema }: FieldProps) => {
    const allowed = choicesOf(schema);
    const control = {
      "aria-label": description,
      "aria-required": required === true,
      ...errorProps(errors),
      disabled: disabled === true,
      value: value ?? "",
      onChange: ({ target }: InputEvent) => onChange(target.value),
    };
    if (allowed === undefined) return h("input", { type: "text", spellCheck: false, ...control });
    const options = allowed.map((option) => h("option", { key: option, value: option }, option));
    return h("select", control, !required && h("option", { value: "" }, "any"), ...options);
  };
}

function choicesOf(schema: Plain): readonly string[] | undefined {
  const keywords = plain(schema);
  if (typeof keywords !== "object" || keywords === null || !("enum" in keywords)) return undefined;
  return Array.isArray(keywords.enum) ? keywords.enum.map(String) : undefined;
}

interface ListProps extends Omit<FieldProps, "value" | "onChange"> {
  readonly value?: Plain;
  readonly onChange: (value: Tree) => void;
}

/** A list is typed as the query has it: items separated by commas. */
function listField({ React: { createElement: h }, Im }: System) {
  return ({ value, onChange, description, disabled, errors }: ListProps) => {
    const items = plain(value);
    return h("input", {
      type: "text",
      spellCheck: false,
      "aria-label": `${description}, separated by commas`,
      ...errorProps(errors),
      disabled: disabled === true,
      value: Array.isArray(items) ? items.join(",") : "",
      onChange: ({ target }: InputEvent) =>
        onChange(Im.List(target.value === "" ? [] : target.value.split(","))),
    });
  };
}

function errorProps(errors: Plain): object {
  const list = plain(errors);
  if (!Array.isArray(list) || list.length === 0) return {};
  return { "aria-invalid": true, title: list.map(describeError).join(" ") };
}

function describeError(error: unknown): string {
  if (typeof error === "string") return error;
  const isItem = typeof error === "object" && error !== null && "error" in error;
  return isItem ? String(error.error) : "Not a valid value for this parameter.";
}

interface BodyProps {
  readonly value?: string;
  readonly onChange: (event: InputEvent) => void;
}

const BODY_ROWS_MAX = 20;

function bodyField({ React: { createElement: h } }: System) {
  return ({ value = "", onChange }: BodyProps) =>
    h("textarea", {
      "aria-label": "Request body",
      spellCheck: false,
      rows: Math.min(value.split("\n").length + 1, BODY_ROWS_MAX),
      value,
      onChange,
    });
}

function labelledExamples(original: Component, { React: { createElement: h } }: System) {
  return (props: object) =>
    h(
      "label",
      { className: "examples" },
      h("span", null, "Example"),
      h(original, Object.assign({}, props, { showLabels: false })),
    );
}

/** swagger-ui gives a select and its label the same id. */
function withoutDoubledId(original: Component, { createElement: h }: System["React"]) {
  return (props: object) => h(original, Object.assign({}, props, { controlId: undefined }));
}
