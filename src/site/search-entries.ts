import { documentAt, documentOf } from "../api/openapi-documents.ts";
import { ERROR_CATALOG } from "../contract/error-catalog.ts";
import type { Document } from "../contract/openapi/openapi.ts";
import { GUIDES } from "./guides/guides.ts";
import type { Site } from "./site.ts";
import { GUIDES_PATH } from "./site.ts";

export interface SearchEntry {
  readonly kind: string;
  readonly label: string;
  /** Further text that the search matches: a path, a summary. */
  readonly note: string;
  readonly href: string;
}

/** Search entries of every page: operations, webhooks and deprecations of all documents, errors and guides. */
export function searchEntries({ own, addressOf }: Site, now: number): readonly SearchEntry[] {
  const messages = own === "messages" ? "" : new URL(addressOf("messages")).origin;
  const petstore = own === "messages" ? new URL(addressOf("production")).origin : "";
  const documents = [
    { document: documentAt(documentOf(own === "messages" ? "production" : own), now), origin: petstore },
    { document: documentAt(documentOf("messages"), now), origin: messages },
  ];
  return [
    ...documents.flatMap(({ document, origin }) => operationEntries(document, origin)),
    ...documents.flatMap(({ document, origin }) => deliveryEntries(document, origin)),
    ...Object.entries(ERROR_CATALOG).map(([code, { when }]) => ({
      kind: "Error",
      label: code,
      note: when.replaceAll("`", ""),
      href: `/docs/errors#${code}`,
    })),
    ...documents.flatMap(({ document, origin }) => deprecationEntries(document, origin)),
    ...GUIDES.map(({ name, title, summary }) => ({
      kind: "Guide",
      label: title.replaceAll("`", ""),
      note: summary.replaceAll("`", ""),
      href: `${GUIDES_PATH}/${name}`,
    })),
  ];
}

function operationEntries({ operations }: Document, origin: string): readonly SearchEntry[] {
  return operations.map(({ id, method, path, summary }) => ({
    kind: "Operation",
    label: summary,
    note: `${method} ${path} ${id}`,
    href: `${origin}/docs#${id}`,
  }));
}

function deliveryEntries({ webhooks }: Document, origin: string): readonly SearchEntry[] {
  return webhooks.requests.map(({ type, summary }) => ({
    kind: "Webhook",
    label: type,
    note: summary,
    href: `${origin}/docs#${type}`,
  }));
}

function deprecationEntries({ operations }: Document, origin: string): readonly SearchEntry[] {
  return operations
    .filter(({ deprecation }) => deprecation !== undefined)
    .map(({ id, method, path }) => ({
      kind: "Deprecation",
      label: `${id} is deprecated`,
      note: `${method} ${path}`,
      href: `${origin}/docs/deprecations#${id}`,
    }));
}
