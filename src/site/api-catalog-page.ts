import { writeJson } from "../contract/json/json.ts";
import type { RequestAddresses } from "../http/request-context.ts";
import type { FileResponseData } from "../http/response.ts";
import { API_CATALOG } from "./site.ts";

/** The profile of RFC 9727 §4.2, for the media type of RFC 9264. */
const MEDIA_TYPE = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';

/** Where programs find this service's API, its document, its reference and its health (RFC 9727). */
export async function respondWithCatalog({ origin, base }: RequestAddresses): Promise<FileResponseData> {
  const api = {
    anchor: base,
    "service-desc": [{ href: `${origin}/openapi.json`, type: "application/json" }],
    "service-doc": [{ href: `${origin}/docs`, type: "text/html" }],
    status: [{ href: `${origin}/healthz`, type: "application/json" }],
  };
  const headers = {
    "Content-Type": MEDIA_TYPE,
    "Cache-Control": "no-cache",
    Link: `<${origin}${API_CATALOG}>; rel="api-catalog"`,
  };
  return { status: 200, headers, body: writeJson({ linkset: [api] }) };
}
