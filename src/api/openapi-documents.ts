import { categoryOperations } from "../categories/contract.ts";
import { ERROR_CATALOG } from "../contract/error-catalog.ts";
import { generalHeaders, headerComponents } from "../contract/openapi/headers.ts";
import { type Document, emitDocument } from "../contract/openapi/openapi.ts";
import { errorCodesOf } from "../contract/openapi/responses.ts";
import { type DocumentedOperation, isRemoved } from "../contract/operation.ts";
import { ERROR_STATUS } from "../errors.ts";
import { CORS_HEADERS, SECURITY_HEADERS } from "../http/browser-headers.ts";
import { ownKeyOperations } from "../keys/contract.ts";
import { messageOperations, messageRequests } from "../messages/contract.ts";
import { orderOperations } from "../orders/contract.ts";
import { petOperations } from "../pets/contract.ts";
import { inventoryOperations } from "../pets/inventory-contract.ts";
import { rehearsalOperations } from "../rehearsal/contract.ts";
import { webhookOperations } from "../webhooks/contract.ts";
import { deliveryOperations, testRequest } from "../webhooks/delivery-contract.ts";
import { eventOperations } from "./event-contract.ts";
import { eventRequests } from "./event-payloads.ts";

const BROWSER_HEADERS = Object.keys({ ...CORS_HEADERS, ...SECURITY_HEADERS })
  .map((name) => `\`${name}\``)
  .join(", ");

/**
 * The rules that apply to every operation. They appear as paragraphs in each API document, and as sentences in the reference pages.
 */
export const RULES = {
  key: "Every request carries an API key: `Authorization: Bearer <API_KEY>`.",
  error: "Every error is an `Error` with `code`, `message` and `status`.",
  problem: `If \`Accept\` ranks \`application/problem+json\` above JSON, the error is a \`Problem\` as in RFC 9457 instead, with \`type\`, \`title\`,
\`status\`, \`code\` and \`detail\` (the same text as \`message\`). If members of the body are invalid, the \`Problem\` also has
\`errors\`, with \`{pointer, detail}\` for each invalid member.`,
  head: "Every path that accepts `GET` also accepts `HEAD`.",
  integers: "Integers are exact\nfrom -2^63 to 2^63-1: use a JSON parser that keeps 64 bits.",
  headers: `Every response also has the headers that browsers need: ${BROWSER_HEADERS}, and \`Strict-Transport-Security\` where the
service's public address is https. \`Cache-Control\` allows clients to store the response of a \`GET\` if they revalidate it
(\`private, no-cache\`), but never an error (\`no-store\`). \`Vary\` names the request headers that the response depends on.`,
};

const DEPRECATED =
  "\nEvery response of a deprecated operation has `Deprecation`, `Sunset` and `Link`, as described under the successful response of this operation.";

/**
 * Returns the rules that apply to every operation, as Markdown. They include a table of the headers that all responses have, and a
 * table of the error codes.
 */
function rulesOf(operations: readonly DocumentedOperation[], isStaging = false): string {
  const { key, error, problem, head, integers, headers } = RULES;
  return `${key}

${error} ${problem} ${head} ${integers}

${headers}${operations.some(({ deprecation }) => deprecation !== undefined) ? DEPRECATED : ""}

| header | of | description |
|---|---|---|
${generalHeaders
  .filter(([component]) => isStaging || component !== "PetstoreSimulated")
  .map(([component, name, of]) => `| \`${name}\` | ${of} | ${headerComponents[component].description} |`)
  .join("\n")}

| code | status | when | what to do |
|---|---|---|---|
${errorCodesOf(operations)
  .map((code) => ({ code, status: ERROR_STATUS[code], ...ERROR_CATALOG[code] }))
  .map(({ code, status, when, whatToDo }) => `| \`${code}\` | ${status} | ${when} | ${whatToDo} |`)
  .join("\n")}`;
}

const petstore: readonly DocumentedOperation[] = [
  petOperations,
  categoryOperations,
  orderOperations,
  inventoryOperations,
  eventOperations,
  webhookOperations,
  deliveryOperations,
  ownKeyOperations,
].flatMap((operations) => Object.values<DocumentedOperation>(operations));
const rehearsal = Object.values<DocumentedOperation>(rehearsalOperations);
const messages = Object.values(messageOperations);

/** Returns an API document without the operations whose removal date has passed. */
export function documentAt(document: Document, now: number): Document {
  return { ...document, operations: document.operations.filter((operation) => !isRemoved(operation, now)) };
}

const STORE = "A store's animals, categories and orders, and a history of changes.";

export const petstoreDocument: Document = {
  services: ["production", "staging"],
  addressOption: "baseUrl",
  title: "petstore",
  description: `${STORE}\n\n${rulesOf(petstore)}`,
  tags: [
    { name: "Pets", description: "The store's animals." },
    { name: "Categories", description: "Categories of animals." },
    { name: "Store", description: "Orders for animals, and the number of animals with each status." },
    { name: "Events", description: "The log of all changes. Every entry has an author and a time." },
    {
      name: "Webhooks",
      description:
        "URLs that events are sent to, and the deliveries to these URLs. Only owners can use these operations.",
    },
    { name: "Key", description: "The API key that sent the request." },
  ],
  operations: petstore,
  webhooks: {
    idExample: "evt_1",
    gone: "The receiver wants no more events. The service disables the webhook until you enable it again.",
    requests: [...eventRequests, testRequest],
  },
};

/** The API document of staging: production's operations, together with those that exist only in staging. */
export const stagingDocument: Document = {
  ...petstoreDocument,
  description: `${STORE}\n\n${rulesOf(petstore, true)}`,
  tags: [
    ...petstoreDocument.tags,
    {
      name: "Rehearsal",
      description:
        "Operations for testing a program. They exist only in staging, and need the role `staff` or `owner`.",
    },
  ],
  operations: [...petstoreDocument.operations, ...rehearsal],
  hasSimulations: true,
};

export const messagesDocument: Document = {
  services: ["messages"],
  addressOption: "messagesUrl",
  title: "petstore messages",
  description: `Submit a message and follow its delivery.\n\n${rulesOf(messages)}`,
  tags: [{ name: "Messages", description: "Submitted messages and their delivery status." }],
  operations: messages,
  webhooks: {
    idExample: "msg_4aYQwJdbBo8sV0rzP2fLxM",
    gone: "The delivery is not retried: the message becomes `failed`.",
    requests: messageRequests,
  },
};

export function documentOf(service: string): Document {
  if (service === "messages") return messagesDocument;
  return service === "staging" ? stagingDocument : petstoreDocument;
}

/**
 * Matches the addresses that are replaced in a document: production's default address in the examples, and the placeholder
 * `address-of:<service>` in the list of servers.
 */
const ADDRESS = /http:\/\/localhost:8080(\/v1)?|address-of:(\w+)/g;

/**
 * Creates a service's OpenAPI document once, and returns a function that inserts addresses into the document. The base address of
 * this service is inserted into the first server and the examples; the addresses from `addressOf` are inserted into the other
 * servers.
 */
export function documentRenderer(
  document: Document,
  own: string,
  addressOf: (service: string) => string,
): (base: string) => string {
  const services = [own, ...document.services.filter((service) => service !== own)];
  const servers = services.map((service) => ({
    url: `address-of:${service}`,
    description: service.charAt(0).toUpperCase() + service.slice(1),
  }));
  const text = emitDocument(document, servers);
  return (base) => {
    const { origin } = new URL(base);
    const addressFor = (path: string | undefined, service: string | undefined) => {
      if (service !== undefined && service !== own) return addressOf(service);
      return path === undefined && service === undefined ? origin : base;
    };
    return text.replaceAll(ADDRESS, (_, path?: string, service?: string) =>
      JSON.stringify(addressFor(path, service)).slice(1, -1),
    );
  };
}
