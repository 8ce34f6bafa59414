import { stabilityBadges } from "./stability.ts";
import type { Child, Plugin, System } from "./swagger-ui.ts";

/** Tags and operations as headings, without swagger-ui's own layout and buttons. */
export const headingsPlugin: Plugin = () => ({
  components: {
    ReferenceLayout: layout,
    authorizeOperationBtn: nothing,
    JSONSchema202012ExpandDeepButton: nothing,
  },
  wrapComponents: {
    OperationTag: (_original, system) => tagSection(system),
    OperationSummary: (_original, system) => operationSummary(system),
  },
});

function nothing(): null {
  return null;
}

function layout({ getComponent, React: { createElement: h } }: System): Child {
  const parts = ["errors", "operations", "Webhooks"];
  return h("div", null, ...parts.map((name) => h(getComponent(name, true), { key: name })));
}

interface TagProps {
  readonly tag: string;
  readonly tagObj: { getIn(path: readonly string[]): string | undefined };
  readonly children: Child;
}

function tagSection({ React: { createElement: h } }: System) {
  return ({ tag, tagObj, children }: TagProps) =>
    h(
      "section",
      { className: "tag", "aria-labelledby": `tag-${tag}` },
      h("h2", { id: `tag-${tag}` }, tag),
      h("p", null, tagObj.getIn(["tagDetails", "description"])),
      children,
    );
}

interface SummaryProps {
  readonly isShown: boolean;
  readonly toggleShown: () => void;
  readonly operationProps: {
    toObject(): { readonly method: string; readonly path: string; readonly summary: string };
  };
}

function operationSummary({ React, specSelectors }: System) {
  const h = React.createElement;
  return ({ isShown, toggleShown, operationProps }: SummaryProps) => {
    const { method, path, summary } = operationProps.toObject();
    const operation = specSelectors.specJson().toJS().paths[path]?.[method] ?? {};
    return h(
      "h3",
      { className: "operation-heading" },
      h(
        "button",
        { type: "button", "aria-expanded": isShown, onClick: toggleShown },
        h("span", { className: `method method-${method}` }, method.toUpperCase()),
        h("span", { className: "operation-path" }, ...breakable(path, React)),
        h("span", { className: "operation-summary" }, summary),
        h("span", { className: "badges" }, stabilityBadges(React, operation)),
      ),
    );
  };
}

/** A long path may break before each slash. */
function breakable(path: string, { createElement: h }: System["React"]): readonly Child[] {
  return path.split(/(?=\/)/).flatMap((segment) => [h("wbr", null), segment]);
}
