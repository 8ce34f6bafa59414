import { expect } from "bun:test";
import { send } from "./send.ts";

/** Asserts that a service serves its pages, guides and documents, and the scripts and styles of the reference. */
export async function expectPages(origin: string): Promise<void> {
  const documents = ["/docs/search.json", "/docs/client.js", "/docs/guides/webhooks", "/openapi.json"];
  for (const path of ["/readyz", "/", "/docs", ...documents])
    expect([path, (await send("GET", origin + path)).status]).toEqual([path, 200]);
  for (const page of ["/", "/docs"]) {
    const { body } = await send("GET", origin + page);
    const assets = [...body.matchAll(/(?:src|href)="(\/[^"]+\.(?:js|css))"/g)].map(([, path = ""]) => path);
    expect(assets.length).toBeGreaterThan(1);
    for (const path of assets) expect([path, (await send("GET", origin + path)).status]).toEqual([path, 200]);
  }
}

/** Returns an operation's code samples, keyed by language, as a reader would copy them from the API reference. */
export async function codeSamples(
  origin: string,
  operation: string,
): Promise<Readonly<Record<string, string>>> {
  const { body } = await send("GET", `${origin}/docs`);
  const [, article = ""] = body.split(`<article aria-labelledby="${operation}">`);
  const [own = ""] = article.split("</article>");
  const found = own.matchAll(/<pre[^>]* data-language="(\w+)"><code>(.*?)<\/code>/gs);
  return Object.fromEntries([...found].map(([, language = "", html = ""]) => [language, textOf(html)]));
}

function textOf(html: string): string {
  const entities = { lt: "<", gt: ">", quot: '"', "#39": "'", amp: "&" };
  return html.replaceAll(/&(lt|gt|quot|#39|amp);/g, (_, name: keyof typeof entities) => entities[name]);
}
