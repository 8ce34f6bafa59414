import { expect } from "bun:test";
import { send } from "./send.ts";

/** Asserts that a service has its pages, guides and documents, and the scripts and styles that the reference loads. */
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
