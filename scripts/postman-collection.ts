// The Postman collection (format 2.1) of the OpenAPI documents.

interface Parameter {
  readonly $ref?: string;
  readonly in: "query" | "path" | "header";
  readonly name: string;
  readonly description?: string;
  readonly required?: boolean;
  readonly example?: unknown;
}

interface Content {
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly deprecated?: boolean;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, unknown>>;
}

export interface OpenApi {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly parameters?: Readonly<Record<string, Parameter>> };
}

interface Item {
  readonly method: string;
  readonly path: string;
  readonly folder: string;
  readonly request: object;
}

const SCHEMA = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json";
/** The last folder: requests before it need the resources that these remove. */
const CHANGING = "Changing and removing";
/** An order is cancelled before its animal is removed, and the animal before its category. */
const REMOVED = [
  "/webhooks/{webhookId}",
  "/store/orders/{orderId}",
  "/pets/{petId}",
  "/categories/{categoryId}",
];

/** Operations that create a resource, and the variable that keeps its identifier for later requests. */
const CREATES: Readonly<Record<string, string>> = {
  createPet: "petId",
  createCategory: "categoryId",
  placeOrder: "orderId",
  createWebhook: "webhookId",
  testWebhook: "deliveryId",
  submitMessage: "messageId",
};

/** Every operation as a request, with a test that the status is a documented one. */
export function collectionOf(petstore: OpenApi, messages: OpenApi): object {
  const items = [...itemsOf(petstore, "baseUrl"), ...itemsOf(messages, "messagesUrl")];
  const folders = [...new Set(items.map(({ folder }) => folder))].sort(
    (one, other) => Number(one === CHANGING) - Number(other === CHANGING),
  );
  const { title, version } = petstore.info;
  return {
    info: {
      name: "Pet store",
      description: `${title} ${version}. Choose an environment, and put an API key of it into its \`apiKey\`.`,
      schema: SCHEMA,
    },
    auth: { type: "bearer", bearer: [{ key: "token", value: "{{apiKey}}", type: "string" }] },
    item: folders.map((folder) => ({
      name: folder,
      item: items.filter((item) => item.folder === folder).map(({ request }) => request),
    })),
  };
}

/** The requests of a document: requests that create a resource precede those that need it. */
function itemsOf(document: OpenApi, base: string): readonly Item[] {
  const found = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => itemOf(document, base, method, path, operation)),
  );
  return found.sort((one, other) => rankOf(one) - rankOf(other));
}

function rankOf({ method, path, folder }: Item): number {
  if (method === "post" && !path.includes("{")) return 0;
  if (folder !== CHANGING) return 1;
  return method === "delete" ? 3 + REMOVED.indexOf(path) : 2;
}

function itemOf(document: OpenApi, base: string, method: string, path: string, operation: Operation): Item {
  const { operationId, summary, description, deprecated, responses } = operation;
  const parameters = (operation.parameters ?? []).map((one) => resolve(document, one));
  const [type, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  const bodyHeader = type === undefined ? [] : [{ key: "Content-Type", value: type }];
  const headers = parameters.filter((one) => one.in === "header").map(optional);
  const request = {
    name: `${operationId}${deprecated ? " (deprecated)" : ""}`,
    event: [{ listen: "test", script: { type: "text/javascript", exec: testOf(operationId, responses) } }],
    request: {
      description: [summary, description].filter(Boolean).join("\n\n"),
      method: method.toUpperCase(),
      header: [...bodyHeader, ...headers],
      ...(content === undefined ? {} : { body: { mode: "raw", raw: bodyOf(content) } }),
      url: urlOf(base, path, parameters),
    },
    response: [],
  };
  const [tag = "Messages"] = operation.tags ?? [];
  return { method, path, folder: ["patch", "delete"].includes(method) ? CHANGING : tag, request };
}

function resolve({ components }: OpenApi, parameter: Parameter): Parameter {
  const name = parameter.$ref?.split("/").at(-1);
  return name === undefined ? parameter : (components.parameters?.[name] ?? parameter);
}

/** Optional parameters are in the collection, disabled. */
function optional({ name, description, example }: Parameter): object {
  return { key: name, value: textOf(example), description, disabled: true };
}

function textOf(example: unknown): string {
  return Array.isArray(example) ? example.join(",") : String(example ?? "");
}

function bodyOf({ example, examples }: Content): string {
  const value = example ?? Object.values(examples ?? {})[0]?.value ?? {};
  // The order is for the animal that the run has added.
  const text = JSON.stringify(value, null, 2);
  return text.replace(/("petId": )\d+/, "$1{{petId}}");
}

/** Identifiers in a path are those of the resources created last. */
function urlOf(base: string, path: string, parameters: readonly Parameter[]): object {
  const inPath = parameters.filter((one) => one.in === "path");
  const query = parameters.filter((one) => one.in === "query").map(optional);
  const segments = path.slice(1).split("/");
  const parts = segments.map((segment) => segment.replace(/^\{(.*)\}$/, ":$1"));
  return {
    raw: `{{${base}}}/${parts.join("/")}`,
    host: [`{{${base}}}`],
    path: parts,
    ...(query.length === 0 ? {} : { query }),
    variable: inPath.map(({ name, description }) => ({
      key: name,
      value: `{{${variableOf(name)}}}`,
      description,
    })),
  };
}

function variableOf(parameter: string): string {
  return parameter === "id" ? "messageId" : parameter;
}

function testOf(operationId: string, responses: Readonly<Record<string, unknown>>): readonly string[] {
  const statuses = Object.keys(responses).join(", ");
  const kept = CREATES[operationId];
  return [
    `pm.test("the answer is one that the document describes", () => {`,
    `  pm.expect(pm.response.code).to.be.oneOf([${statuses}]);`,
    `  if (pm.response.code >= 400) pm.expect(pm.response.json().status).to.equal(pm.response.code);`,
    `});`,
    ...(kept === undefined
      ? []
      : [`if (pm.response.code < 300) pm.collectionVariables.set("${kept}", pm.response.json().id);`]),
  ];
}

export function environmentOf(name: string, baseUrl: string, messagesUrl: string): object {
  const values = [
    { key: "baseUrl", value: baseUrl, type: "default", enabled: true },
    { key: "messagesUrl", value: messagesUrl, type: "default", enabled: true },
    // Never filled in here: the file is committed.
    { key: "apiKey", value: "", type: "secret", enabled: true },
  ];
  return { name: `Pet store, ${name.toLowerCase()}`, values, _postman_variable_scope: "environment" };
}
