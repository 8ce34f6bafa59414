import { EXACT_RANGE } from "./displayed-document.ts";
import type { Component, Plugin } from "./swagger-ui.ts";

interface TypeProps {
  readonly schema: unknown;
}

export const exactRangePlugin: Plugin = () => ({
  wrapComponents: {
    JSONSchema202012KeywordType: (original: Component<TypeProps>, { React: { createElement: h } }) =>
      function typeAndRange(props: TypeProps) {
        const range = exactRangeOf(props.schema);
        return [
          h(original, { ...props, key: "type" }),
          range !== undefined && h("span", { className: "exact-range", key: "range" }, range),
        ];
      },
  },
});

function exactRangeOf(schema: unknown): string | undefined {
  if (typeof schema !== "object" || schema === null || !(EXACT_RANGE in schema)) return undefined;
  const range = schema[EXACT_RANGE];
  return typeof range === "string" ? range : undefined;
}
