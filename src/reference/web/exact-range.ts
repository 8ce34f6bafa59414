import { EXACT_RANGE } from "./displayed-document.ts";
import type { Plugin } from "./swagger-ui.ts";

/** Shows the range of a 64-bit integer with the other constraints of its schema. */
export const exactRangePlugin: Plugin = () => ({
  afterLoad() {
    const { jsonSchema202012 } = this.fn;
    this.fn.jsonSchema202012 = {
      ...jsonSchema202012,
      stringifyConstraints(schema) {
        const range = schema[EXACT_RANGE];
        const constraints = jsonSchema202012.stringifyConstraints(schema);
        return typeof range === "string" ? [{ scope: "number", value: range }, ...constraints] : constraints;
      },
    };
  },
});
