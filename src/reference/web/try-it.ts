import type { Connection } from "./connection.ts";
import type { Component, Execution, HttpRequest, OpenApiDocument, Plugin, System } from "./swagger-ui.ts";

/** Sends requests with the key, and none to an operation with `x-hideTryItPanel`. */
export function tryItPlugin(connection: Connection): Plugin {
  return (registered) => ({
    statePlugins: {
      spec: {
        wrapSelectors: {
          allowTryItOutFor: (_original, system) => (_state, path, method) =>
            isRequest(system, path) && !isHidden(system, path, method),
        },
        wrapActions: {
          execute: (send, system) => (request) =>
            isHidden(system, request.path, request.method) ? undefined : send(request),
          executeRequest: (send, system) => (request) =>
            isHidden(system, request.pathName, request.method) ? undefined : send(request),
        },
      },
    },
    fn: { execute: sendWithKey(registered, connection) },
    wrapComponents: { parameters: explainHiddenPanel },
  });
}

/** The document's webhooks are requests of the service. */
function isRequest({ specSelectors }: System, path: string): boolean {
  return path in specSelectors.specJson().toJS().paths;
}

function isHidden({ specSelectors }: System, path: string, method: string): boolean {
  return specSelectors.specJson().toJS().paths[path]?.[method.toLowerCase()]?.["x-hideTryItPanel"] === true;
}

/** Wraps `fn.execute`, through which every request of swagger-ui goes. */
function sendWithKey(registered: System, connection: Connection): System["fn"]["execute"] {
  const execute = registered.fn.execute;
  return (execution: Execution) =>
    execute({
      ...execution,
      requestInterceptor(request) {
        const document = registered.specSelectors.specJson().toJS();
        if (reachesHidden(document, request))
          throw new Error("Requests to this operation cannot be sent from this page.");
        const key = connection.key === "" ? {} : { Authorization: `Bearer ${connection.key}` };
        return execution.requestInterceptor({ ...request, headers: { ...request.headers, ...key } });
      },
    });
}

/** Compares the URL alone: parameters of another operation must not reach a hidden one either. */
function reachesHidden({ paths }: OpenApiDocument, { url, method }: HttpRequest): boolean {
  const target = decodeURIComponent(new URL(url).pathname).replace(/\/+$/, "");
  return Object.entries(paths).some(([path, operations]) => {
    const isClosed = operations[method.toLowerCase()]?.["x-hideTryItPanel"] === true;
    return isClosed && new RegExp(`${path.replaceAll(/\{[^}]+\}/g, "[^/]+")}$`).test(target);
  });
}

interface ParametersProps {
  readonly allowTryItOut: boolean;
  readonly pathMethod: readonly [path: string, method: string];
}

function explainHiddenPanel(original: Component, system: System) {
  const { createElement: h } = system.React;
  return (props: ParametersProps) => {
    const note = isRequest(system, props.pathMethod[0])
      ? "Requests to this operation cannot be sent from this page."
      : "The service sends this request, and your program answers it.";
    return h("div", null, !props.allowTryItOut && h("p", { className: "note" }, note), h(original, props));
  };
}
