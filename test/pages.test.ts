import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { ERROR_CATALOG } from "../src/contract/error-catalog.ts";
import { renderGuide } from "../src/site/guides/guide-page.ts";
import { GUIDES } from "../src/site/guides/guides.ts";
import type { SearchEntry } from "../src/site/search-entry.ts";
import { GUIDES_PATH } from "../src/site/site.ts";
import { createRanking } from "../src/site/web/rank.ts";
import { createTestApp, type TestApp } from "./test-app.ts";

// At the same address, a browser gets a page and a program gets JSON.

type Service = "production" | "staging" | "messages";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
const PROGRAMS = ["application/json", "*/*", "application/json, text/html", "application/problem+json"];

const ask = (request: string, accept: string) =>
  app.send("production", request, { headers: { Accept: accept } });

describe("a mistyped address", () => {
  test("is a page for a browser, with links to the console and the reference", async () => {
    for (const path of [
      "/doc",
      "/animal",
      "/docs/error",
      "/v2/pets",
      "/v1pets",
      "/openapi.yaml",
      "//evil.example/",
    ]) {
      const reply = await ask(`GET ${path}`, BROWSER);
      expect([path, reply.status]).toEqual([path, 404]);
      expect(reply.headers.get("Content-Type")).toBe("text/html; charset=utf-8");
      expect(reply.headers.get("Vary")).toBe("Accept");
      const page = await reply.text();
      expect(page).toContain('<a href="/">');
      expect(page).toContain('<a href="/docs">');
      expect(page).not.toContain("evil");
    }
    const head = await ask("HEAD /doc", BROWSER);
    expect([head.status, await head.text()]).toEqual([404, ""]);
  });

  test("is an error in JSON for a program", async () => {
    for (const accept of PROGRAMS) {
      const reply = await ask("GET /doc", accept);
      expect([accept, reply.status]).toEqual([accept, 401]);
      expect(reply.headers.get("Content-Type")).toMatch(/^application\/(problem\+)?json$/);
    }
    expect((await ask("POST /doc", BROWSER)).status).toBe(401);
  });

  test("below a base address is an error in JSON, even for a browser", async () => {
    const paths = ["/v1", "/v1/", "/v1/pet", "/v1/pets/", "/console/api/nothing"];
    for (const path of paths) {
      const reply = await ask(`GET ${path}`, BROWSER);
      expect([path, reply.status]).toEqual([path, 401]);
      expect(reply.headers.get("Content-Type")).toBe("application/json");
    }
    const message = await app.send("messages", "GET /doc", { headers: { Accept: BROWSER } });
    expect(message.status).toBe(401);
  });
});

describe("a trailing slash", () => {
  const leads: [from: string, to: string][] = [
    ["/docs/", "/docs"],
    ["/docs/?x=1#top", "/docs?x=1"],
    ["/animals/", "/animals"],
    ["/animals/7/", "/animals/7"],
    ["/animals/a%0Ab/", "/animals/a%0Ab"],
    ["/openapi.json/", "/openapi.json"],
    ["/healthz/", "/healthz"],
  ];
  for (const [from, to] of leads) {
    test(`${from} leads to ${to}`, async () => {
      for (const method of ["GET", "HEAD"]) {
        const reply = await ask(`${method} ${from}`, BROWSER);
        expect([reply.status, reply.headers.get("Location")]).toEqual([308, to]);
      }
    });
  }

  test("never leads to another host", async () => {
    for (const path of ["//evil.example/", "//docs/", "/\\evil.example/", "/animals//evil.example/"]) {
      const location = (await ask(`GET ${path}`, BROWSER)).headers.get("Location");
      expect([path, location]).toEqual([path, null]);
    }
  });
});

test("every service has the icon that browsers ask for", async () => {
  for (const service of ["production", "staging", "messages"] as const) {
    const reply = await app.send(service, "GET /favicon.ico");
    expect(reply.status).toBe(200);
    expect(reply.headers.get("Content-Type")).toBe("image/vnd.microsoft.icon");
    expect(reply.headers.get("Cache-Control")).toBe("public, max-age=604800");
    expect((await reply.bytes()).subarray(0, 4)).toEqual(new Uint8Array([0, 0, 1, 0]));
  }
});

describe("the reference", () => {
  const open = async (service: Service) => (await app.send(service, "GET /docs")).text();

  test("explains only once, in sections before the operations, what they share", async () => {
    for (const service of ["production", "staging"] as const) {
      const html = await open(service);
      for (const said of [
        "gets the recorded response, and the operation is not repeated",
        "The response is 412 if the resource has changed since then",
        "The response is 304 if the resource or page has not changed",
        "Identifies the request in the service's log",
        "seconds until the count starts again",
        ...(service === "staging" ? ["Simulates a failure"] : []),
      ])
        expect([service, said, html.split(said).length - 1]).toEqual([service, said, 1]);
      const sections = ["authentication", "paging", "errors", "idempotency", "versions", "listPets"];
      const places = sections.map((id) => html.indexOf(`id="${id}"`));
      expect(places.every((place) => place > 0)).toBe(true);
      expect(places).toEqual(places.toSorted((a, b) => a - b));
    }
  });

  test("has in each operation the body before the header fields, then samples and Send, and errors folded", async () => {
    const html = await open("production");
    const article = html.slice(html.indexOf('<article aria-labelledby="placeOrder">'));
    const parts = [
      'id="placeOrder-body"',
      'id="placeOrder-Idempotency-Key"',
      'class="samples"',
      'class="send try"',
      "<h4>Answers</h4>",
      "<details><summary>Errors: <code>not_found</code>, <code>pet_not_available</code>, 400",
      "</article>",
    ].map((part) => article.indexOf(part));
    expect(parts.every((place) => place > 0)).toBe(true);
    expect(parts).toEqual(parts.toSorted((a, b) => a - b));
  });

  test("has each anchor once, and every link within the page has its anchor", async () => {
    for (const service of ["production", "staging", "messages"] as const) {
      const html = await open(service);
      const all = (pattern: RegExp) => [...html.matchAll(pattern)].map(([, value = ""]) => value);
      const anchors = all(/ id="([^"]+)"/g);
      expect(anchors.length).toBe(new Set(anchors).size);
      expect(all(/href="#([^"]+)"/g).filter((anchor) => !anchors.includes(anchor))).toEqual([]);
    }
  });
});

describe("the search of the documents", () => {
  const load = (service: Service, headers: Readonly<Record<string, string>> = {}) =>
    app.send(service, "GET /docs/search.json", { headers });
  const entriesOf = async (service: Service): Promise<readonly SearchEntry[]> =>
    JSON.parse(await (await load(service)).text());

  /** Searches the pages of a service. Resolves to the addresses of the two best results. */
  async function bestOf(service: Service, query: string) {
    return createRanking(await entriesOf(service))(query)
      .slice(0, 2)
      .map(({ href }) => href);
  }

  test("finds headers, statuses, codes, types and synonyms at the right place, first or second", async () => {
    const places: Readonly<Record<string, string>> = {
      429: "/docs/errors#rate_limited",
      etag: "/docs#conditional-requests",
      pagination: "/docs#paging",
      int64: "/docs#integers",
      authentication: "/docs#authentication",
      bearer: "/docs#authentication",
      "webhook signature": "/docs#deliveries",
      "order not found": "/docs/errors#not_found",
      idempotency: "/docs#idempotency",
      "create pet": "/docs#createPet",
      "add an animal": "/docs#createPet",
      "create a key": "/docs#authentication",
      conflict: "/docs/errors#conflict",
      PET_HAS_OPEN_ORDER: "/docs/errors#pet_has_open_order",
      "category_in_use deleteCategory": "/docs#deleteCategory",
      "x-request-id": "/docs#every-answer",
      "last-event-id": "/docs#listEvents",
      idempotancy: "/docs#idempotency",
      "webhok signatur": "/docs#deliveries",
      catagory_in_use: "/docs/errors#category_in_use",
    };
    for (const [query, place] of Object.entries(places))
      expect([query, await bestOf("production", query)]).toEqual([query, expect.arrayContaining([place])]);
    expect(await bestOf("staging", "petstore-simulate")).toContain("/docs#simulated-errors");
  });

  test("has every entry while nothing is searched for", async () => {
    const entries = await entriesOf("production");
    for (const query of ["", "  ", "the"]) expect(createRanking(entries)(query)).toEqual(entries);
  });

  test("ranks an equal title above a word of a title, then a synonym, then a text", () => {
    const entry = { kind: "", text: "", label: "" };
    const entries: readonly SearchEntry[] = [
      { ...entry, href: "#text", text: "the paging of lists" },
      { ...entry, href: "#synonym", synonyms: "Paging" },
      { ...entry, href: "#start", label: "Pagings" },
      { ...entry, href: "#word", label: "Cursors and paging" },
      { ...entry, href: "#exact", label: "Paging" },
      { ...entry, href: "#inside", text: "propaging" },
    ];
    const found = createRanking(entries)("PAGING").map(({ href }) => href);
    expect(found).toEqual(["#exact", "#word", "#start", "#synonym", "#text"]);
    expect(createRanking(entries)("paging lists").map(({ href }) => href)).toEqual(["#text"]);
  });

  test("has every operation and object of both interfaces, every error, and every heading of every guide", async () => {
    const places = (await entriesOf("production")).map(({ href }) => href);
    expect(new Set(places).size).toBe(places.length);
    expect(places).toContainEqual(expect.stringMatching(/^http.*\/docs#submitMessage$/));
    for (const place of ["listPets", "Pet", "pet"]) expect(places).toContain(`/docs#${place}`);
    for (const code of Object.keys(ERROR_CATALOG)) expect(places).toContain(`/docs/errors#${code}`);
    for (const { name, file } of GUIDES) {
      const markdown = await Bun.file(new URL(`../${file}`, import.meta.url)).text();
      const { headings } = renderGuide(markdown, file);
      const addresses = headings
        .filter(({ depth }) => depth <= 3)
        .map(({ id }) => `${GUIDES_PATH}/${name}#${id}`);
      for (const address of [`${GUIDES_PATH}/${name}`, ...addresses]) expect(places).toContain(address);
    }
  });

  test("is loaded separately: compressed, with an entity tag, and at most 60 kB", async () => {
    const reply = await load("production", { "Accept-Encoding": "br" });
    expect([reply.status, reply.headers.get("Content-Type")]).toEqual([200, "application/json"]);
    expect(reply.headers.get("Content-Encoding")).toBe("br");
    expect((await reply.bytes()).byteLength).toBeLessThan(60_000);
    const known = await load("production", { "If-None-Match": reply.headers.get("ETag") ?? "" });
    expect(known.status).toBe(304);
  });
});
