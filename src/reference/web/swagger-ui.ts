// The parts of swagger-ui-dist 5.35 that this page uses; the package has no types.

export type Child = object | string | number | null | undefined | false | readonly Child[];

export type Component<Props = object> = (props: Props) => Child;

/** The React inside swagger-ui. */
export interface React {
  createElement<Props extends object>(
    type: string | Component<Props>,
    props: (Props & { readonly key?: string }) | null,
    ...children: readonly Child[]
  ): object;
  useState<Value>(initial: Value): [Value, (next: Value) => void];
}

/** Immutable.js, as far as it is used here. */
export interface Tree {
  toJS(): unknown;
  push(...members: readonly string[]): Tree;
}

export interface OpenApiOperation {
  readonly operationId?: string;
  readonly deprecated?: boolean;
  readonly "x-hideTryItPanel"?: boolean;
  readonly "x-stability"?: string;
  readonly "x-deprecated-sunset"?: string;
  readonly "x-codeSamples"?: readonly CodeSample[];
}

/** https://redocly.com/docs/realm/content/api-docs/openapi-extensions/x-code-samples */
interface CodeSample {
  readonly label: string;
  readonly source: string;
}

export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
}

export interface HttpRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

type Intercept = (request: HttpRequest) => HttpRequest | Promise<HttpRequest>;

export interface Execution {
  readonly requestInterceptor: Intercept;
}

export interface System {
  readonly React: React;
  readonly Im: {
    fromJS(value: unknown): Tree;
    List(items: readonly string[]): Tree;
  };
  readonly fn: {
    execute(execution: Execution): Promise<unknown>;
  };
  readonly specSelectors: {
    specJson(): { toJS(): OpenApiDocument };
    mutatedRequestFor(path: string, method: string): { toJS(): HttpRequest } | undefined;
  };
  readonly specActions: { execute(request: object): unknown };
  readonly oas3Actions: { setSelectedServer(url: string): void };
  readonly layoutActions: { parseDeepLinkHash(hash: string): void };
  getComponent(name: string, isContainer?: true): Component<object>;
}

type Wrap<Wrapped> = (original: Wrapped, system: System) => Wrapped;

/** https://github.com/swagger-api/swagger-ui/blob/v5.35.0/docs/customization/plugin-api.md */
interface PluginParts {
  readonly components?: Readonly<Record<string, unknown>>;
  readonly wrapComponents?: Readonly<Record<string, (original: Component, system: System) => unknown>>;
  readonly fn?: Partial<System["fn"]>;
  readonly statePlugins?: {
    readonly spec: {
      readonly wrapSelectors?: Readonly<
        Record<string, Wrap<(state: unknown, path: string, method: string) => unknown>>
      >;
      readonly wrapActions?: {
        readonly execute: Wrap<(request: { readonly path: string; readonly method: string }) => unknown>;
        readonly executeRequest: Wrap<
          (request: { readonly pathName: string; readonly method: string }) => unknown
        >;
      };
    };
  };
}

export type Plugin = (system: System) => PluginParts;

declare global {
  function SwaggerUIBundle(options: Readonly<Record<string, unknown>>): System;
}
