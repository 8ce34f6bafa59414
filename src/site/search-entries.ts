import { documentAt, documentOf } from "../api/openapi-documents.ts";
import { createTextServer } from "../http/static/assets.ts";
import type { StaticPage } from "../http/static/page.ts";
import { deprecationFrame, errorFrame } from "./contract-pages.ts";
import type { Frame } from "./frame.ts";
import { guideFrame } from "./guides/guide-page.ts";
import { GUIDES } from "./guides/guides.ts";
import { createReference } from "./reference/reference-page.ts";
import type { SearchEntry } from "./search-entry.ts";
import { GUIDES_PATH, type Site } from "./site.ts";

/** Further search terms for sections whose text does not contain these terms, keyed by the anchor of the section's heading. */
const SYNONYMS: Readonly<Record<string, string>> = {
  authentication: "bearer token authorization auth login create key 401 403",
  paging: "pagination paginate cursor next page offset limit",
  errors: "problem details 4xx 5xx status codes validation",
  "rate-limits": "429 throttling quota too many requests",
  idempotency: "Idempotency-Key retry duplicate",
  "conditional-requests": "ETag If-Match If-None-Match 304 412 conflict optimistic locking concurrency cache",
  integers: "int64 bigint long number precision",
  versions: "versioning compatibility deprecation sunset beta",
  "every-answer": "HEAD CORS X-Request-Id",
  "simulated-errors": "Petstore-Simulate test fault injection mock",
  listEvents: "Last-Event-ID SSE EventSource server-sent history changes",
  deliveries: "webhook signature hmac verify webhook-id webhook-timestamp",
  not_found: "animal order category webhook delivery message missing",
};

/** Serves the search index, which a page loads when its search is first opened. */
export function searchIndex(site: Site): StaticPage["respond"] {
  const serve = createTextServer("search.json", "application/json");
  return (_addresses, { request, contractNow }) => {
    const { length } = documentAt(documentOf(site.own), contractNow).operations;
    const text = async () => JSON.stringify(await searchEntries(site, contractNow));
    return serve(String(length), text, request);
  };
}

/** Returns the search entries for every page of this service, and for the reference of the other service. */
async function searchEntries(site: Site, now: number): Promise<readonly SearchEntry[]> {
  const other = site.own === "messages" ? "production" : "messages";
  const otherBase = site.addressOf(other);
  const [own, others, guides] = await Promise.all([
    // The base address does not matter, because the texts of these pages are the same for every address.
    createReference(site)(site.addressOf(site.own), now).frame(),
    createReference({ ...site, own: other })(otherBase, now).frame(),
    Promise.all(GUIDES.map(async (guide) => ({ guide, frame: await guideFrame(guide) }))),
  ]);
  const reference = headings(own, "/docs", "Reference");
  const anchors = new Set(reference.map(({ href }) => href));
  // The references of both services contain the same rules, so each rule is listed only once.
  const further = headings(others, "/docs", others.title).filter(({ href }) => !anchors.has(href));
  return [
    ...reference,
    ...further.map((entry) => ({ ...entry, href: new URL(entry.href, otherBase).href })),
    ...headings(errorFrame(), "/docs/errors", "Error"),
    ...headings(deprecationFrame(site), "/docs/deprecations", "Deprecation"),
    ...guides.flatMap(({ guide: { name, title, summary }, frame }) => {
      const address = `${GUIDES_PATH}/${name}`;
      const [introduction = ""] = frame.main.split(HEADING);
      return [
        { kind: "Guide", label: frame.title, href: address, text: `${summary} ${textOf(introduction)}` },
        ...headings(frame, address, title.replaceAll("`", "")),
      ];
    }),
  ];
}

const HEADING = /<h[23] id="([^"]+)">(.*?)<\/h[23]>/;

function headings({ main }: Frame, address: string, kind: string): readonly SearchEntry[] {
  const [, ...parts] = main.split(HEADING);
  return parts.flatMap((id, index) => {
    if (index % 3 !== 0) return [];
    const [label = "", text = ""] = parts.slice(index + 1).map(textOf);
    return [{ kind, label, href: `${address}#${id}`, text, synonyms: SYNONYMS[id] }];
  });
}

/** Extracts the text from the HTML of these pages, except code blocks and form fields. */
function textOf(html: string): string {
  return html
    .replaceAll(/<(pre|textarea|select|button)\b.*?<\/\1>/gs, " ")
    .replaceAll(/<wbr>|<\/?(?:code|a|b|strong|em|span)\b[^>]*>/g, "")
    .replaceAll(/<[^>]+>/g, " ")
    .replaceAll(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => ENTITIES[name] ?? "")
    .replaceAll(/\s+/g, " ")
    .trim();
}

const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', "#39": "'", amp: "&" };
