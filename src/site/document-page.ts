import { documentAt, documentOf, documentRenderer } from "../api/openapi-documents.ts";
import { writeJson } from "../contract/json/json.ts";
import type { RequestAddresses } from "../http/call.ts";
import type { FileResponseData } from "../http/response.ts";
import { createTextServer } from "../http/static/assets.ts";
import type { StaticPage } from "../http/static/page.ts";
import { API_CATALOG, type Site } from "./site.ts";

/** The media type of the API catalog: a link set (RFC 9264) with the profile of RFC 9727 §4.2. */
const CATALOG_TYPE = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';

interface CurrentDocument {
  /** Cache key for the document's text. Documents with the same key have the same text. */
  readonly key: string;
  readonly text: () => string;
}

/**
 * Returns a function that creates a service's OpenAPI document for a base address and a time. An operation is left out after its
 * removal date.
 */
export function currentDocument({ own, addressOf }: Site): (base: string, now: number) => CurrentDocument {
  let emitted: { readonly count: number; readonly render: (base: string) => string } | undefined;
  return (base, now) => {
    const current = documentAt(documentOf(own), now);
    const count = current.operations.length;
    const text = () => {
      if (emitted?.count !== count) emitted = { count, render: documentRenderer(current, own, addressOf) };
      return emitted.render(base);
    };
    return { key: `${count} ${base}`, text };
  };
}

/** Serves the OpenAPI document at `/openapi.json`. It contains the address that the client used to reach this service. */
export function documentPage(site: Site): StaticPage["respond"] {
  const documentAtBase = currentDocument(site);
  const serve = createTextServer("openapi.json", "application/json");
  return async ({ base }, { request, contractNow }) => {
    const { key, text } = documentAtBase(base, contractNow);
    return serve(key, text, request);
  };
}

/** Serves the catalog (RFC 9727) that tells programs where to find this service's API, document, reference and health check. */
export async function respondWithCatalog({ origin, base }: RequestAddresses): Promise<FileResponseData> {
  const api = {
    anchor: base,
    "service-desc": [{ href: `${origin}/openapi.json`, type: "application/json" }],
    "service-doc": [{ href: `${origin}/docs`, type: "text/html" }],
    status: [{ href: `${origin}/healthz`, type: "application/json" }],
  };
  const headers = {
    "Content-Type": CATALOG_TYPE,
    "Cache-Control": "no-cache",
    Link: `<${origin}${API_CATALOG}>; rel="api-catalog"`,
  };
  return { status: 200, headers, body: writeJson({ linkset: [api] }) };
}
