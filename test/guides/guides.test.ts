import { describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { AUDIENCES, GUIDES, LINKED_FILES } from "../../src/site/guides/guides.ts";
import { FILES_PATH, GUIDES_PATH } from "../../src/site/site.ts";
import { PROJECT } from "../repository/documents.ts";
import { send } from "../wire/send.ts";
import { useStore } from "../wire/server.ts";

// Tests every guide as the service serves it, and every link and fragment in it.

const server = useStore();

interface Page {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
  readonly ids: ReadonlySet<string>;
  readonly links: readonly string[];
}

const opened = new Map<string, Promise<Page>>();

function open(address: string): Promise<Page> {
  const known = opened.get(address) ?? read(address);
  opened.set(address, known);
  return known;
}

async function read(address: string): Promise<Page> {
  const { status, headers, body } = await send("GET", address);
  const all = (pattern: RegExp) => [...body.matchAll(pattern)].map(([, value = ""]) => value);
  return { status, headers, body, ids: new Set(all(/ id="([^"]*)"/g)), links: all(/ href="([^"]*)"/g) };
}

const originOf = (service: "production" | "messages") => new URL(server[service]).origin;
const PATHS = [GUIDES_PATH, ...GUIDES.map(({ name }) => `${GUIDES_PATH}/${name}`)];

describe("every guide", () => {
  test("is a file, and every file is a guide of one audience", () => {
    const files = readdirSync(`${PROJECT}docs/guides`).map((name) => `docs/guides/${name}`);
    const own = GUIDES.map(({ file }) => file).filter((file) => file.startsWith("docs/"));
    expect(own.toSorted()).toEqual(files.toSorted());
    expect(new Set(GUIDES.map(({ name }) => name)).size).toBe(GUIDES.length);
  });

  test("has in the page of contents the heading of its file", async () => {
    const { body } = await open(originOf("production") + GUIDES_PATH);
    for (const { title, guides } of AUDIENCES) {
      expect(body).toContain(`<h2>${title}</h2>`);
      for (const { title, file } of guides)
        expect(await Bun.file(PROJECT + file).text()).toStartWith(`# ${title}\n`);
    }
  });

  for (const path of [...PATHS, "/docs/deprecations"])
    test(`${path}: every link and fragment leads somewhere`, async () => {
      for (const service of ["production", "messages"] as const) {
        const origin = originOf(service);
        const page = await open(origin + path);
        expect(page.status).toBe(200);
        expect(page.headers.get("Content-Type")).toBe("text/html; charset=utf-8");
        expect(page.headers.get("Content-Security-Policy")).toContain("default-src 'none'");
        expect(page.links.length).toBeGreaterThan(GUIDES.length);
        for (const link of page.links) {
          const to = new URL(link.replaceAll("&amp;", "&"), origin + path);
          if (to.origin !== origin) continue;
          const there = await open(to.origin + to.pathname);
          expect([path, link, there.status]).toEqual([path, link, 200]);
          // The headings of the API reference are not in its HTML, because a script renders them.
          if (to.hash === "" || to.pathname === "/docs") continue;
          const fragment = decodeURIComponent(to.hash.slice(1));
          expect([link, there.ids.has(fragment)]).toEqual([link, true]);
        }
      }
    });

  test("loads everything from the service itself", async () => {
    for (const path of PATHS) {
      const { body } = await open(originOf("production") + path);
      const loaded = [...body.matchAll(/<(?:script|link|img)[^>]* (?:src|href)="([^"]*)"/g)];
      expect(loaded.length).toBeGreaterThan(0);
      for (const [, address = ""] of loaded) expect(address).toStartWith("/docs/assets/");
    }
  });
});

describe("what guides link to", () => {
  test("is served unchanged, as text, and transferred again only when it has changed", async () => {
    for (const path of LINKED_FILES) {
      const address = `${originOf("production")}${FILES_PATH}/${path.split("/").at(-1)}`;
      const { status, headers, body } = await send("GET", address);
      expect([path, status, headers.get("Content-Type")]).toEqual([path, 200, "text/plain; charset=utf-8"]);
      expect(body).toBe(await Bun.file(PROJECT + path).text());
      const again = await send("GET", address, { headers: { "If-None-Match": headers.get("ETag") ?? "" } });
      expect(again.status).toBe(304);
    }
  });

  test("is linked from a guide", async () => {
    const linked = await Promise.all(
      PATHS.map(async (path) => (await open(originOf("production") + path)).links),
    );
    for (const path of LINKED_FILES)
      expect(linked.flat()).toContain(`${FILES_PATH}/${path.split("/").at(-1)}`);
  });
});

test("a guide or a file that does not exist is not found", async () => {
  for (const path of [
    `${GUIDES_PATH}/nowhere`,
    `${GUIDES_PATH}/webhooks.md`,
    `${FILES_PATH}/package.json`,
    `${FILES_PATH}/..%2fpackage.json`,
    `${FILES_PATH}/constructor`,
  ]) {
    const { status } = await send("GET", originOf("production") + path);
    expect([path, status]).toEqual([path, 404]);
  }
});
