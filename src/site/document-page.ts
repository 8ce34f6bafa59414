import { documentRenderer } from "../api/document-renderer.ts";
import { documentAt, documentOf } from "../api/openapi-documents.ts";
import { createTextServer } from "../http/static/assets.ts";
import type { StaticPage } from "../http/static/page.ts";
import type { Site } from "./site.ts";

interface CurrentDocument {
  /** Differs where the text does. */
  readonly key: string;
  readonly text: () => string;
}

/** The text of a service's document by base address and time. It is emitted again once an operation has been removed. */
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

/** The OpenAPI document at `/openapi.json`, with this service's address as the client reached it. */
export function documentPage(site: Site): StaticPage["respond"] {
  const documentAtBase = currentDocument(site);
  const serve = createTextServer("openapi.json", "application/json");
  return async ({ base }, { request, contractNow }) => {
    const { key, text } = documentAtBase(base, contractNow);
    return serve(key, text, request);
  };
}
