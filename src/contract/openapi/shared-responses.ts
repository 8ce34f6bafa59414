import { STATUS_CODES } from "node:http";

type Named<Value> = Readonly<Record<string, Value>>;

interface ResponseObject {
  readonly content?: Named<{ readonly examples?: object }>;
}

interface EmittedDocument {
  readonly paths: Named<Named<{ readonly responses: Named<ResponseObject> }>>;
  readonly components: { readonly responses: object };
}

/** Moves responses that several operations of an OpenAPI document have to `components.responses`. */
export function shareResponses(document: object): object {
  const { paths, components } = document as EmittedDocument;
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const all = operations.flatMap(({ responses }) => Object.entries(responses));
  const responses: Record<string, ResponseObject> = {};
  const names = new Map<string, string>();
  for (const [text, same] of Map.groupBy(all, ([, response]) => JSON.stringify(response))) {
    const [first] = same;
    if (first === undefined || same.length < 2) continue;
    const name = freeName(responseName(...first), responses);
    names.set(text, name);
    responses[name] = first[1];
  }
  const refOf = (response: ResponseObject) => {
    const name = names.get(JSON.stringify(response));
    return name === undefined ? response : { $ref: `#/components/responses/${name}` };
  };
  return {
    ...document,
    paths: mapValues(paths, (methods) =>
      mapValues(methods, (operation) => ({ ...operation, responses: mapValues(operation.responses, refOf) })),
    ),
    components: { ...components, responses: { ...responses, ...components.responses } },
  };
}

/** Names a shared OpenAPI response by its error code; of several codes by the last, which the fewest operations have. */
function responseName(status: string, { content }: ResponseObject): string {
  const code = Object.keys(content?.["application/json"]?.examples ?? {}).at(-1);
  const words = code === undefined ? (STATUS_CODES[status] ?? status).split(" ") : code.split("_");
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}

/** A response name not taken yet: `Unavailable`, `Unavailable2`. Responses with one code may differ in header fields. */
function freeName(name: string, taken: object): string {
  let free = name;
  for (let number = 2; free in taken; number++) free = name + String(number);
  return free;
}

function mapValues<From, To>(of: Named<From>, change: (value: From) => To) {
  return Object.fromEntries(Object.entries(of).map(([name, value]): [string, To] => [name, change(value)]));
}
